package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of a JSON object, read strictly: a wrong type or form is {@link InvalidInput} on that
 * field, and a field that was never asked for is unknown. Null is absent.
 */
final class JsonFields {
  private static final int MAX_TEXT = 64;
  private static final int MAX_ELEMENTS = 100;
  private static final String DURATION_RULE = "must be an ISO-8601 duration such as PT30S";

  private final JsonNode json;
  private final Set<String> known = new TreeSet<>();

  JsonFields(JsonNode json) {
    this.json = json;
  }

  boolean has(String name) {
    known.add(name);
    return !json.path(name).isMissingNode() && !json.path(name).isNull();
  }

  String string(String name, String absent) {
    if (!has(name)) {
      return absent;
    }
    JsonNode value = json.path(name);
    require(value.isString(), name, "must be a string");
    return value.stringValue();
  }

  int integer(String name, int absent) {
    if (!has(name)) {
      return absent;
    }
    JsonNode value = json.path(name);
    require(value.isIntegralNumber(), name, "must be a whole number");
    // A number that no int holds breaks the field's range, as the next check will say.
    return value.canConvertToInt() ? value.intValue() : Integer.MAX_VALUE;
  }

  double number(String name, double absent) {
    return has(name) ? number(json.path(name), name) : absent;
  }

  Duration duration(String name, Duration absent) {
    return has(name) ? duration(json.path(name), name) : absent;
  }

  Duration duration(String name) {
    require(has(name), name, "is missing");
    return duration(json.path(name), name);
  }

  List<Duration> durations(String name) {
    return elements(name, "durations", JsonFields::duration);
  }

  /** The elements of an array, each read by its value and its field. */
  private <T> List<T> elements(String name, String what, BiFunction<JsonNode, String, T> reading) {
    require(has(name), name, "is missing");
    JsonNode array = json.path(name);
    require(array.isArray() && array.size() <= MAX_ELEMENTS, name, "must be 1 to 100 " + what);
    List<T> elements = new ArrayList<>();
    for (JsonNode element : array.values()) {
      elements.add(reading.apply(element, name + "[" + elements.size() + "]"));
    }
    return elements;
  }

  boolean flag(String name, boolean absent) {
    if (!has(name)) {
      return absent;
    }
    require(json.path(name).isBoolean(), name, "must be true or false");
    return json.path(name).booleanValue();
  }

  /** An object as it is; {@code null} where it is absent. */
  @Nullable JsonNode object(String name) {
    if (!has(name)) {
      return null;
    }
    require(json.path(name).isObject(), name, "must be an object");
    return json.path(name);
  }

  /** The strings and whole numbers of an array, as text. */
  List<String> words(String name) {
    return elements(name, "words", JsonFields::word);
  }

  /** The numbers of an object, in its order; none where it is absent. */
  Map<String, Double> numbers(String name) {
    if (!has(name)) {
      return Map.of();
    }
    JsonNode object = json.path(name);
    require(object.isObject(), name, "must be an object of numbers");
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      numbers.put(entry.getKey(), number(entry.getValue(), name + "." + shown(entry.getKey())));
    }
    return numbers;
  }

  /** The strings of an object, in its order; none where it is absent. */
  Map<String, String> strings(String name) {
    if (!has(name)) {
      return Map.of();
    }
    JsonNode object = json.path(name);
    require(object.isObject(), name, "must be an object of names and values");
    Map<String, String> strings = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      require(entry.getValue().isString(), name, "must have strings as values");
      strings.put(entry.getKey(), entry.getValue().stringValue());
    }
    return strings;
  }

  /** Throws where the object has another field. */
  void requireNoneBut(String... names) {
    known.addAll(List.of(names));
    requireNoOthers();
  }

  /** Throws where the object has a field that was not asked for. */
  void requireNoOthers() {
    requireNoOthers((_, _) -> false);
  }

  /** The same, but for fields that say nothing. */
  void requireNoOthers(BiPredicate<String, JsonNode> saysNothing) {
    for (String name : json.propertyNames()) {
      require(
          known.contains(name) || saysNothing.test(name, json.path(name)),
          shown(name),
          "is not known here; known are " + String.join(", ", known));
    }
  }

  private static String word(JsonNode value, String field) {
    require(
        value.isString() || value.isIntegralNumber(), field, "must be a string or a whole number");
    return value.asString();
  }

  private static double number(JsonNode value, String field) {
    require(value.isNumber(), field, "must be a number");
    // Not doubleValue(): it throws if no double is close.
    return value.doubleValueOpt().orElse(Double.NaN);
  }

  private static Duration duration(JsonNode value, String field) {
    require(value.isString() && value.stringValue().length() <= MAX_TEXT, field, DURATION_RULE);
    try {
      return Duration.parse(value.stringValue());
    } catch (DateTimeParseException unreadable) {
      throw new InvalidInput(field, DURATION_RULE);
    }
  }

  /** A sender's own name, cut and cleaned so that an error can be read and written. */
  private static String shown(String name) {
    String clean = name.replaceAll("[^ -~]", "?");
    return clean.length() <= MAX_TEXT ? clean : clean.substring(0, MAX_TEXT) + "…";
  }
}
