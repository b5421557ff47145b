package dev.ebb.client;

/**
 * The {@link EbbJson} of the class path: Jackson 3, or Jackson 2, or none. {@link EbbJdbc} and
 * {@link EbbHttp} use it unless they are given another.
 */
public final class FoundJson {
  private FoundJson() {}

  /**
   * Looks for Jackson 3 first.
   *
   * @return what writes and reads; it refuses every value if there is no library
   */
  public static EbbJson find() {
    // An adapter links only if its library is there.
    try {
      return new Jackson3Json();
    } catch (LinkageError absent) {
      return findOlder();
    }
  }

  /** Refuses a class if nothing can read it. */
  static void require(EbbJson json, Class<?> type) {
    if (json instanceof None) {
      throw None.missing(type);
    }
  }

  private static EbbJson findOlder() {
    try {
      return new Jackson2Json();
    } catch (LinkageError absent) {
      return new None();
    }
  }

  /** For applications whose kinds are all of JSON text. */
  private static final class None implements EbbJson {
    @Override
    public String encode(Object value) {
      throw missing(value.getClass());
    }

    @Override
    public <T> T decode(String json, Class<T> type) {
      throw missing(type);
    }

    private static IllegalStateException missing(Class<?> type) {
      return new IllegalStateException(
          "nothing turns "
              + type.getName()
              + " into JSON: add Jackson to the class path, give an EbbJson, or use JobKind.json");
    }
  }
}
