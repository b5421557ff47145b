package dev.ebb.client;

/** How a kind's arguments become JSON and back: Jackson's way, or an application's own. */
public interface EbbJson {
  /**
   * Writes a value.
   *
   * @param value the arguments of a job
   * @return its JSON text
   */
  String encode(Object value);

  /**
   * Reads a value; throws whatever it likes if the text is not one of this type.
   *
   * @param <T> what the kind's arguments are
   * @param json the payload of a job
   * @param type the class of its kind's arguments
   * @return the value of the text
   */
  <T> T decode(String json, Class<T> type);
}
