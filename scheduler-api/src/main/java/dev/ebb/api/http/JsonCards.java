package dev.ebb.api.http;

import dev.ebb.core.CardNumbers;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** The numbers of payment cards in the strings, numbers and names of a JSON text. */
public final class JsonCards {
  private static final int LEAST_DIGITS = 13;

  private JsonCards() {}

  /** The JSON Pointer to the first of them, in which none can be read; empty if there is none. */
  public static Optional<String> find(String json) {
    if (!mayHave(json)) {
      return Optional.empty();
    }
    try (JsonParser parser = JsonText.parser(json)) {
      while (parser.nextToken() != null) {
        if (isText(parser.currentToken()) && CardNumbers.areIn(parser.getString())) {
          String pointer = parser.streamReadContext().pathAsPointer().toString();
          return Optional.of(CardNumbers.masked(pointer));
        }
      }
      return Optional.empty();
    } catch (JacksonException notJson) {
      return CardNumbers.areIn(json) ? Optional.of("") : Optional.empty();
    }
  }

  /**
   * The text with their last four digits alone, and otherwise to the byte. A number becomes a
   * string.
   */
  public static String masked(String json) {
    if (!mayHave(json)) {
      return json;
    }
    try (JsonParser parser = JsonText.parser(json)) {
      StringBuilder copy = new StringBuilder();
      int copied = 0;
      while (parser.nextToken() != null) {
        if (isText(parser.currentToken()) && CardNumbers.areIn(parser.getString())) {
          int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
          copy.append(json, copied, start)
              .append(
                  JsonMapper.shared().writeValueAsString(CardNumbers.masked(parser.getString())));
          copied = end(json, start, parser.getString());
        }
      }
      return copy.append(json, copied, json.length()).toString();
    } catch (JacksonException notJson) {
      return CardNumbers.masked(json);
    }
  }

  /** Most payloads have too few digits; digits are seldom escaped, but may be. */
  private static boolean mayHave(String json) {
    return json.contains("\\u")
        || json.chars().filter(c -> c >= '0' && c <= '9').limit(LEAST_DIGITS).count()
            == LEAST_DIGITS;
  }

  private static boolean isText(JsonToken token) {
    return token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING || token.isNumeric();
  }

  /** Behind the token that begins there. */
  private static int end(String json, int start, String token) {
    if (json.charAt(start) != '"') {
      return start + token.length();
    }
    int end = start + 1;
    while (json.charAt(end) != '"') {
      end += json.charAt(end) == '\\' ? 2 : 1;
    }
    return end + 1;
  }
}
