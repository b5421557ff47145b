package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.BodyPart;
import dev.ebb.core.http.BodyTest;
import dev.ebb.core.http.BodyTest.Comparison;
import dev.ebb.core.http.BodyTest.Option;
import dev.ebb.core.http.ResponseClass;
import dev.ebb.core.http.StatusSet;
import dev.ebb.core.http.SuccessRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What responses mean, as JSON:
 *
 * <pre>
 *   success: "alipay" | {statuses = ["2xx"], body?: test}
 *   classes: [{statuses, body?: test, reason,
 *              effect: "permanent" | "disable" | "throttled" | "retryable" | "not_ready"}]
 *   result:  {name: JSON Pointer}
 *   test:    {pointer? | element?, equals | contains | matches,
 *             trim = false, ignoreCase = false, partial = false}
 * </pre>
 */
public final class ResponseRulesJson {
  static final String SUCCESS = "success";
  static final String CLASSES = "classes";
  static final String RESULT = "result";

  private static final Map<String, Option> OPTIONS =
      Map.of(
          "trim", Option.TRIM,
          "ignoreCase", Option.IGNORE_CASE,
          "partial", Option.PARTIAL);

  private ResponseRulesJson() {}

  /**
   * Reads a success rule.
   *
   * @throws InvalidInput on anything else; its field starts with {@value #SUCCESS}
   */
  static SuccessRule success(JsonNode json) {
    if (json.isString()) {
      SuccessRule preset = SuccessRule.PRESETS.get(json.stringValue());
      if (preset != null) {
        return preset;
      }
    }
    require(
        json.isObject(),
        SUCCESS,
        "must be " + String.join(", ", SuccessRule.PRESETS.keySet()) + ", or an object");
    return under(SUCCESS, json, fields -> new SuccessRule(statuses(fields, true), body(fields)));
  }

  /** The same of the classes of what is no success. */
  static List<ResponseClass> classes(JsonNode json) {
    require(json.isArray(), CLASSES, "must be an array of objects");
    List<ResponseClass> classes = new ArrayList<>();
    for (JsonNode element : json.values()) {
      String field = CLASSES + "[" + classes.size() + "]";
      require(element.isObject(), field, "must be an object");
      classes.add(under(field, element, ResponseRulesJson::responseClass));
    }
    return classes;
  }

  /** The same of what is kept of a body. */
  static Map<String, String> result(JsonNode json) {
    require(json.isObject(), RESULT, "must be an object of names and JSON Pointers");
    Map<String, String> result = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : json.properties()) {
      require(one.getValue().isString(), RESULT, "must have JSON Pointers as values");
      result.put(one.getKey(), one.getValue().stringValue());
    }
    return result;
  }

  private static ResponseClass responseClass(JsonFields fields) {
    StatusSet statuses = statuses(fields, false);
    BodyTest body = body(fields);
    return new ResponseClass(statuses, body, effect(fields), fields.string("reason", ""));
  }

  private static ResponseClass.Effect effect(JsonFields fields) {
    String word = fields.string("effect", "");
    return Arrays.stream(ResponseClass.Effect.values())
        .filter(effect -> effect.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new InvalidInput("effect", "must be one of " + effects()));
  }

  private static String effects() {
    return Arrays.stream(ResponseClass.Effect.values())
        .map(ResponseClass.Effect::word)
        .collect(Collectors.joining(", "));
  }

  private static StatusSet statuses(JsonFields fields, boolean mayBeAbsent) {
    if (mayBeAbsent && !fields.has("statuses")) {
      return SuccessRule.DEFAULT.statuses();
    }
    return new StatusSet(fields.words("statuses"));
  }

  private static @Nullable BodyTest body(JsonFields fields) {
    JsonNode json = fields.object("body");
    return json == null ? null : under("body", json, ResponseRulesJson::test);
  }

  private static BodyTest test(JsonFields fields) {
    Comparison comparison = comparison(fields);
    Set<Option> options = EnumSet.noneOf(Option.class);
    OPTIONS.forEach((name, option) -> {
      if (fields.flag(name, false)) {
        options.add(option);
      }
    });
    return new BodyTest(part(fields), comparison, fields.string(comparison.word(), ""), options);
  }

  private static BodyPart part(JsonFields fields) {
    boolean isJson = fields.has("pointer");
    boolean isXml = fields.has("element");
    require(!isJson || !isXml, "pointer", "must be absent with element");
    if (isJson) {
      return new BodyPart.Value(fields.string("pointer", ""));
    }
    return isXml ? new BodyPart.Element(fields.string("element", "")) : BodyPart.WHOLE;
  }

  private static Comparison comparison(JsonFields fields) {
    List<Comparison> given =
        Arrays.stream(Comparison.values()).filter(one -> fields.has(one.word())).toList();
    require(given.size() == 1, "", "must have one of equals, contains and matches");
    return given.getFirst();
  }

  /** The rule as answers show it. */
  public static dev.ebb.contract.SuccessRule shown(SuccessRule rule) {
    return new dev.ebb.contract.SuccessRule(rule.statuses().words(), shown(rule.body()));
  }

  /** The classes as answers show them. */
  public static List<dev.ebb.contract.ResponseClass> shown(List<ResponseClass> classes) {
    return classes.stream()
        .map(one ->
            new dev.ebb.contract.ResponseClass(
                one.statuses().words(), shown(one.body()), one.effect().word(), one.reason()))
        .toList();
  }

  private static dev.ebb.contract.@Nullable BodyTest shown(@Nullable BodyTest test) {
    if (test == null) {
      return null;
    }
    return new dev.ebb.contract.BodyTest(
        test.part() instanceof BodyPart.Value(String pointer) ? pointer : null,
        test.part() instanceof BodyPart.Element(String name) ? name : null,
        shown(test, Comparison.EQUALS),
        shown(test, Comparison.CONTAINS),
        shown(test, Comparison.MATCHES),
        shown(test, Option.TRIM),
        shown(test, Option.IGNORE_CASE),
        shown(test, Option.PARTIAL));
  }

  private static @Nullable String shown(BodyTest test, Comparison comparison) {
    return test.comparison() == comparison ? test.text() : null;
  }

  private static @Nullable Boolean shown(BodyTest test, Option option) {
    return test.options().contains(option) ? true : null;
  }

  /** The preset that the rule is; {@code null} for another. */
  public static @Nullable String name(SuccessRule rule) {
    return SuccessRule.PRESETS.entrySet().stream()
        .filter(preset -> preset.getValue().equals(rule))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /** Reads an object strictly, and names its fields under its own. */
  private static <T> T under(String name, JsonNode json, Function<JsonFields, T> reading) {
    JsonFields fields = new JsonFields(json);
    try {
      T read = reading.apply(fields);
      fields.requireNoOthers();
      return read;
    } catch (InvalidInput broken) {
      throw broken.field().isEmpty()
          ? new InvalidInput(name, String.valueOf(broken.rule()))
          : broken.under(name);
    }
  }
}
