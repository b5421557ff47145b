package dev.ebb.client;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** Writes a JSON object, field by field. */
final class JsonWriter {
  private final StringBuilder text = new StringBuilder("{");

  /** A field whose value is text, a number, a list of texts or an object of texts. */
  JsonWriter put(String name, Object value) {
    field(name);
    write(value);
    return this;
  }

  /** A field whose value is JSON text. */
  JsonWriter putJson(String name, String json) {
    field(name);
    text.append(json);
    return this;
  }

  String end() {
    return text.append('}').toString();
  }

  private void field(String name) {
    text.append(text.length() > 1 ? "," : "");
    quote(name);
    text.append(':');
  }

  private void write(Object value) {
    if (value instanceof Number) {
      text.append(value);
    } else if (value instanceof Map<?, ?> map) {
      JsonWriter inner = new JsonWriter();
      map.forEach((key, one) -> inner.put(String.valueOf(key), String.valueOf(one)));
      text.append(inner.end());
    } else if (value instanceof Collection<?> list) {
      String separator = "[";
      for (Object one : list) {
        text.append(separator);
        write(one);
        separator = ",";
      }
      text.append(list.isEmpty() ? "[]" : "]");
    } else {
      quote(value.toString());
    }
  }

  private void quote(String words) {
    text.append('"');
    words
        .chars()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            text.append('\\').append((char) c);
          } else if (c < ' ') {
            text.append(String.format(Locale.ROOT, "\\u%04x", c));
          } else {
            text.append((char) c);
          }
        });
    text.append('"');
  }
}
