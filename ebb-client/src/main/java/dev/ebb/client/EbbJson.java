package dev.ebb.client;

/** How a kind's arguments become JSON and back: Jackson's way, or an application's own. */
public interface EbbJson {
  /** That of the class path: Jackson 3, or Jackson 2, or one that throws. */
  static EbbJson find() {
    return FoundJson.find();
  }

  /** The JSON text of a value. */
  String encode(Object value);

  /** The value of a JSON text; throws whatever it likes if it is not one of this type. */
  <T> T decode(String json, Class<T> type);
}
