package dev.ebb.client;

import java.lang.reflect.Type;

/** The {@link EbbJson} that need not be written: that of a library. */
public final class EbbJsons {
  private EbbJsons() {}

  /**
   * The Jackson of the class path, 3 before 2: what {@link EbbJdbc} and {@link EbbHttp} use unless
   * they are given another.
   *
   * @return what writes and reads; without a Jackson, it refuses every value
   */
  public static EbbJson ofClassPath() {
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
    public Object decode(String json, Type type) {
      throw missing(type);
    }

    private static IllegalStateException missing(Type type) {
      return new IllegalStateException(
          "nothing turns "
              + type.getTypeName()
              + " into JSON: add Jackson to the class path, give an EbbJson, or use JobKind.json");
    }
  }
}
