package dev.ebb.api.http;

import dev.ebb.api.problem.Pointers;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.query.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One value of a body: where it stands, what it is, and its text to the byte. Nothing is converted:
 * {@code "5"} is no number, {@code 1.0} no integer.
 *
 * <p>Objects and lists are taken apart one level at a time into slices of the text, so that a
 * payload is kept to the byte and a large one costs no tree.
 */
public record JsonValue(String pointer, JsonToken kind, String text) {
  static final String INSTANT_RULE =
      "must be an instant as in RFC 3339, such as \"2027-01-31T08:00:00Z\", with at most six"
          + " decimals";
  private static final Pattern DURATION =
      Pattern.compile("P(\\d{1,9}D)?(T(\\d{1,9}H)?(\\d{1,9}M)?(\\d{1,9}(\\.\\d{1,6})?S)?)?");

  /** The value that the text is, of which {@link JsonText#check} must have refused nothing. */
  static JsonValue of(String text) {
    try (JsonParser parser = JsonText.parser(text)) {
      return new JsonValue("", parser.nextToken(), text);
    }
  }

  JsonNode tree() {
    return JsonMapper.shared().readTree(text);
  }

  boolean isNull() {
    return kind == JsonToken.VALUE_NULL;
  }

  boolean isString() {
    return kind == JsonToken.VALUE_STRING;
  }

  public String string() {
    return string("must be a string");
  }

  private String string(String rule) {
    require(JsonToken.VALUE_STRING, rule);
    try (JsonParser parser = JsonText.parser(text)) {
      parser.nextToken();
      return parser.getString();
    }
  }

  public boolean bool() {
    if (kind != JsonToken.VALUE_TRUE && kind != JsonToken.VALUE_FALSE) {
      throw refusal("must be true or false");
    }
    return kind == JsonToken.VALUE_TRUE;
  }

  public int integer() {
    require(JsonToken.VALUE_NUMBER_INT, "must be an integer");
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw refusal("must be an integer of 32 bits");
    }
  }

  public double number() {
    if (kind != JsonToken.VALUE_NUMBER_INT && kind != JsonToken.VALUE_NUMBER_FLOAT) {
      throw refusal("must be a number");
    }
    double number = Double.parseDouble(text);
    if (Double.isInfinite(number)) {
      throw refusal("must be a number of 64 bits");
    }
    return number;
  }

  public Instant instant() {
    try {
      return Times.instant(string(INSTANT_RULE));
    } catch (DateTimeException e) {
      throw refusal(INSTANT_RULE);
    }
  }

  public Duration duration() {
    String rule = "must be a duration as in ISO 8601, such as \"PT30S\", with at most six decimals";
    String value = string(rule);
    if (!DURATION.matcher(value).matches()) {
      throw refusal(
          value.startsWith("-") || value.startsWith("P-") || value.startsWith("PT-")
              ? "must not be negative"
              : rule);
    }
    try {
      return Duration.parse(value);
    } catch (DateTimeException e) {
      throw refusal(rule);
    }
  }

  /** The members of the object, by name and in its order. */
  Map<String, JsonValue> members() {
    require(JsonToken.START_OBJECT, "must be an object");
    Map<String, JsonValue> members = new LinkedHashMap<>();
    try (JsonParser parser = JsonText.parser(text)) {
      parser.nextToken();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        parser.nextToken();
        members.put(name, slice(parser, Pointers.child(pointer, name)));
      }
    }
    return members;
  }

  /** The first values, {@code most} of them, of the list. */
  public List<JsonValue> list(int most) {
    require(JsonToken.START_ARRAY, "must be a list");
    List<JsonValue> list = new ArrayList<>();
    try (JsonParser parser = JsonText.parser(text)) {
      parser.nextToken();
      while (list.size() < most && parser.nextToken() != JsonToken.END_ARRAY) {
        list.add(slice(parser, pointer + "/" + list.size()));
      }
    }
    return list;
  }

  private JsonValue slice(JsonParser parser, String at) {
    JsonToken found = parser.currentToken();
    int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    parser.skipChildren();
    parser.finishToken();
    int end = Math.toIntExact(parser.currentLocation().getCharOffset());
    return new JsonValue(at, found, text.substring(start, end));
  }

  private void require(JsonToken expected, String rule) {
    if (kind != expected) {
      throw refusal(rule);
    }
  }

  private Refusal refusal(String rule) {
    return Refusal.field(pointer, rule);
  }
}
