package dev.ebb.api.access;

import dev.ebb.api.http.JsonText;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Hides values of a JSON text by pointers, and leaves the rest to the byte. It hides a text that is
 * not one JSON value whole.
 */
final class JsonMask {
  private static final String HIDDEN = "\"***\"";
  private static final Pattern SLASH = Pattern.compile("/");
  private final List<List<String>> rules;

  /**
   * @param pointers JSON Pointers, in which {@code *} stands for any name or index
   */
  JsonMask(List<String> pointers) {
    this.rules = pointers.stream().map(JsonMask::segments).toList();
  }

  private static List<String> segments(String pointer) {
    return SLASH
        .splitAsStream(pointer)
        .skip(1)
        .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
        .toList();
  }

  String apply(String json) {
    if (rules.isEmpty()) {
      return json;
    }
    try (JsonParser parser = JsonText.parser(json)) {
      return new Walk(json, parser).masked(rules);
    } catch (JacksonException notJson) {
      return HIDDEN;
    }
  }

  /** One pass over a text; it goes down only where a rule does. */
  private static final class Walk {
    private final String json;
    private final JsonParser parser;
    private final StringBuilder masked = new StringBuilder();
    private int copied;

    Walk(String json, JsonParser parser) {
      this.json = json;
      this.parser = parser;
    }

    String masked(List<List<String>> rules) {
      boolean empty = parser.nextToken() == null;
      if (!empty) {
        value(rules, 0);
      }
      if (empty || parser.nextToken() != null) {
        return HIDDEN;
      }
      return masked.append(json, copied, json.length()).toString();
    }

    private void value(List<List<String>> rules, int depth) {
      if (rules.stream().anyMatch(rule -> rule.size() == depth)) {
        hide();
      } else if (rules.isEmpty()) {
        parser.skipChildren();
      } else if (parser.currentToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          value(matching(rules, depth, name), depth + 1);
        }
      } else if (parser.currentToken() == JsonToken.START_ARRAY) {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
          value(matching(rules, depth, Integer.toString(i)), depth + 1);
        }
      }
    }

    private static List<List<String>> matching(
        List<List<String>> rules, int depth, String segment) {
      return rules.stream()
          .filter(rule -> rule.get(depth).equals("*") || rule.get(depth).equals(segment))
          .toList();
    }

    private void hide() {
      int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
      parser.skipChildren();
      parser.finishToken();
      int end = Math.toIntExact(parser.currentLocation().getCharOffset());
      masked.append(json, copied, start).append(HIDDEN);
      copied = end;
    }
  }
}
