package dev.ebb.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value as it was received: payloads are kept to the byte, and no library is needed to read
 * an answer.
 */
final class Json {
  private final String source;
  private final int start;
  private final int end;
  private final @Nullable Object value;

  /**
   * @param value a map or a list of these, text, a truth or a number's text; {@code null} for null
   */
  Json(String source, int start, int end, @Nullable Object value) {
    this.source = source;
    this.start = start;
    this.end = end;
    this.value = value;
  }

  /** The value as it stood. */
  String text() {
    return source.substring(start, end);
  }

  boolean isObject() {
    return value instanceof Map;
  }

  /** A field; {@code null} if it is absent or null, or this is no object. */
  @Nullable Json get(String name) {
    Json found = value instanceof Map<?, ?> map ? (Json) map.get(name) : null;
    return found == null || found.value == null ? null : found;
  }

  /** A field that has to be there. */
  Json at(String name) {
    Json found = get(name);
    if (found == null) {
      throw new IllegalArgumentException("an answer has no " + name);
    }
    return found;
  }

  String string() {
    return String.valueOf(value);
  }

  boolean isTrue() {
    return Boolean.TRUE.equals(value);
  }

  int number() {
    return Integer.parseInt(string());
  }

  /** The elements; none if this is no list. */
  List<Json> list() {
    return value instanceof List<?> list ? list.stream().map(Json.class::cast).toList() : List.of();
  }

  /** The fields; none if this is no object. */
  Map<String, Json> fields() {
    Map<String, Json> fields = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, one) -> fields.put((String) name, (Json) one));
    }
    return fields;
  }
}
