package dev.ebb.ui.page;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of a form that a browser posted. */
final class FormBody {
  private final Map<String, List<String>> fields = new HashMap<>();

  private FormBody(String body) {
    for (String pair : body.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        fields
            .computeIfAbsent(pair.substring(0, equals), _ -> new ArrayList<>())
            .add(decoded(pair.substring(equals + 1)));
      }
    }
  }

  /** The form, of which no more than so many bytes are read. */
  static FormBody read(HttpServletRequest request, int most) throws IOException {
    byte[] body = request.getInputStream().readNBytes(most);
    return new FormBody(new String(body, StandardCharsets.UTF_8));
  }

  /** The field's last value; empty without one. */
  String value(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? "" : values.getLast();
  }

  List<String> values(String name) {
    return fields.getOrDefault(name, List.of());
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }
}
