package dev.ebb.client;

/** The {@link EbbJson} of the class path: Jackson 3, or Jackson 2, or none. */
final class FoundJson {
  private FoundJson() {}

  /** Links the adapters one after the other: the first whose library is there is taken. */
  static EbbJson find() {
    try {
      return new Jackson3Json();
    } catch (LinkageError absent) {
      return findOlder();
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
