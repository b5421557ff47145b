package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonText;
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
  private final String payload;
  private final JsonParser parser;
  private final StringBuilder shown = new StringBuilder();
  private int copied;

  private DeliveryPayload(String payload, JsonParser parser) {
    this.payload = payload;
    this.parser = parser;
  }

  static String shown(String payload) {
    try (JsonParser parser = JsonText.parser(payload)) {
      return new DeliveryPayload(payload, parser).shown();
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
    return shown.append(payload, copied, payload.length()).toString();
  }

  private void showHeaders() {
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      String mask = Masking.header(name, "");
      show(mask.isEmpty() ? Masking::url : _ -> mask);
    }
  }

  /** Copies what precedes the value, then the value as it is shown. */
  private void show(UnaryOperator<String> masking) {
    int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    String clear = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
    parser.skipChildren();
    parser.finishToken();
    int end = Math.toIntExact(parser.currentLocation().getCharOffset());
    String masked = masking.apply(clear);
    if (!masked.equals(clear)) {
      shown.append(payload, copied, start).append(JsonMapper.shared().writeValueAsString(masked));
      copied = end;
    }
  }
}
