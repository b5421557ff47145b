package dev.ebb.client;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

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
   * Reads a value. A {@link RuntimeException} says that the text is not one of this type.
   *
   * @param json the payload of a job
   * @param type that of its kind's arguments, which is a class unless a later version says so
   * @return the value of the text; {@code null} for the JSON value null
   */
  @Nullable Object decode(String json, Type type);
}
