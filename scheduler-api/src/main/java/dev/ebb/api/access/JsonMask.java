package dev.ebb.api.access;

import dev.ebb.api.http.JsonCopy;
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
    try (JsonCopy copy = new JsonCopy(json)) {
      boolean empty = copy.parser().nextToken() == null;
      if (!empty) {
        hide(copy, rules, 0);
      }
      return empty || copy.parser().nextToken() != null ? HIDDEN : copy.finish();
    } catch (JacksonException notJson) {
      return HIDDEN;
    }
  }

  /** Hides what the rules name of the value at which the copy stands; goes down only for them. */
  private static void hide(JsonCopy copy, List<List<String>> rules, int depth) {
    JsonParser parser = copy.parser();
    if (rules.stream().anyMatch(rule -> rule.size() == depth)) {
      copy.replace(HIDDEN);
    } else if (rules.isEmpty()) {
      parser.skipChildren();
    } else if (parser.currentToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        hide(copy, matching(rules, depth, name), depth + 1);
      }
    } else if (parser.currentToken() == JsonToken.START_ARRAY) {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        hide(copy, matching(rules, depth, Integer.toString(i)), depth + 1);
      }
    }
  }

  private static List<List<String>> matching(List<List<String>> rules, int depth, String segment) {
    return rules.stream()
        .filter(rule -> rule.get(depth).equals("*") || rule.get(depth).equals(segment))
        .toList();
  }
}
