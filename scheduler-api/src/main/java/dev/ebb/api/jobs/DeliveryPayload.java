package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonCopy;
import dev.ebb.core.http.Masking;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The payload of a delivery as answers show it: without the secrets in its URL and headers, by the
 * rules for the record of an attempt, and otherwise to the byte.
 */
final class DeliveryPayload {
  private final JsonCopy copy;
  private final JsonParser parser;

  private DeliveryPayload(JsonCopy copy) {
    this.copy = copy;
    this.parser = copy.parser();
  }

  static String shown(String payload) {
    try (JsonCopy copy = new JsonCopy(payload)) {
      return new DeliveryPayload(copy).shown();
    } catch (JacksonException notJson) {
      return Masking.url(payload);
    }
  }

  private String shown() {
    if (parser.nextToken() == JsonToken.START_OBJECT) {
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        JsonToken value = parser.nextToken();
        if (name.equals("url")) {
          show(Masking::url);
        } else if (name.equals("headers") && value == JsonToken.START_OBJECT) {
          showHeaders();
        } else {
          parser.skipChildren();
        }
      }
    }
    return copy.finish();
  }

  private void showHeaders() {
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      String mask = Masking.header(name, "");
      show(mask.isEmpty() ? Masking::url : _ -> mask);
    }
  }

  /** Shows the value at which the parser stands. */
  private void show(UnaryOperator<String> masking) {
    String clear = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
    String masked = masking.apply(clear);
    if (masked.equals(clear)) {
      parser.skipChildren();
    } else {
      copy.replace(JsonMapper.shared().writeValueAsString(masked));
    }
  }
}
