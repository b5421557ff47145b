package dev.ebb.core.query;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the payload of a job must hold. Of a delivery only the body counts: the rest may hold
 * secrets.
 *
 * @param text that it holds anywhere; {@code null} for any
 * @param fields strings, numbers and booleans, as texts, by their paths with dots between the names
 */
public record PayloadSearch(@Nullable String text, SortedMap<String, String> fields) {
  /** How the condition of a field is named, before its path. */
  public static final String PREFIX = "payload.";

  private static final Pattern PATH = Pattern.compile("[^.*\\[\\]]+(\\.[^.*\\[\\]]+){0,19}");
  private static final int MAX_PATH = 200;

  public PayloadSearch {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /** The search; {@code null} where nothing is asked for. */
  static @Nullable PayloadSearch of(@Nullable String text, SortedMap<String, String> fields) {
    return text == null && fields.isEmpty() ? null : new PayloadSearch(text, fields);
  }

  /** The path in the name of a condition; throws {@link InvalidInput} where it breaks a rule. */
  static String path(String field) {
    String path = field.substring(PREFIX.length());
    require(
        path.length() <= MAX_PATH && PATH.matcher(path).matches(),
        field,
        "must name one field, such as payload.body.order or, in a list, payload.items.0.id: no sign"
            + " stands for all elements");
    return path;
  }

  /** Adds a field, which has one value. */
  static void put(Map<String, String> fields, String path, Condition condition) {
    require(
        condition.comparison() == Condition.Comparison.IS
            || condition.comparison() == Condition.Comparison.EQUALS,
        condition.field(),
        "takes only the comparison ':'");
    require(!condition.negated(), condition.field(), "must not be negated");
    String before = fields.putIfAbsent(path, condition.value());
    if (before != null && !before.equals(condition.value())) {
      throw new InvalidInput(condition.field(), "must not be given twice");
    }
  }
}
