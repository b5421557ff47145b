package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of a form that a browser posted. */
public final class Form {
  private final Map<String, List<String>> fields = new HashMap<>();

  private Form() {}

  /**
   * The form of these bytes.
   *
   * @throws Refusal if they are no UTF-8 in the code of URLs
   */
  static Form parse(ByteBuffer bytes) {
    Form form = new Form();
    // A character for each byte: what the code of URLs hides is decoded first.
    String body = StandardCharsets.ISO_8859_1.decode(bytes).toString();
    for (String pair : body.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        form.fields
            .computeIfAbsent(decoded(pair.substring(0, equals)), _ -> new ArrayList<>())
            .add(decoded(pair.substring(equals + 1)));
      }
    }
    return form;
  }

  /** The field's last value; empty without one. */
  public String value(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? "" : values.getLast();
  }

  /** All values of the field, in their order. */
  public List<String> values(String name) {
    return fields.getOrDefault(name, List.of());
  }

  private static String decoded(String text) {
    try {
      String bytes = URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
      ByteBuffer encoded = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw Refusal.of(
          ProblemCode.MALFORMED_REQUEST, "The form must be URL-encoded, in valid UTF-8.");
    }
  }
}
