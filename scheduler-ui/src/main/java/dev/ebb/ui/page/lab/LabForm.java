package dev.ebb.ui.page.lab;

import dev.ebb.api.http.Query;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.words.Lengths;
import dev.ebb.ui.words.Url;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The fields of the lab as they were typed. What they mean is for the API to judge: a length of
 * time may be typed as {@code 30s} or {@code 2h}, and what is none goes as it is.
 *
 * @param values by field, those that have one
 */
public record LabForm(Map<String, String> values) {
  /** The fields of a policy. */
  public static final List<String> POLICY =
      List.of(
          "jitter",
          "base",
          "factor",
          "cap",
          "floor",
          "spread",
          "slot",
          "steps",
          "proportion",
          "maxAttempts",
          "deadline");

  /** Of every policy, with their places in a body. */
  private static final List<String> ALWAYS = List.of("maxAttempts", "deadline");

  private static final List<String> LENGTHS =
      List.of("base", "cap", "floor", "spread", "slot", "deadline");
  private static final String JITTER = "jitter";
  private static final String JOBS = "jobs";

  public LabForm {
    values = new LinkedHashMap<>(values);
  }

  /** The names of the fields, in their order. */
  static List<String> fields() {
    return Stream.concat(POLICY.stream(), Stream.of(JOBS)).toList();
  }

  /** The fields of a policy that is there already. */
  public static LabForm of(JsonNode policy) {
    Map<String, String> values = new LinkedHashMap<>();
    policy.properties().forEach(field -> values.put(field.getKey(), shown(field.getValue())));
    return new LabForm(values);
  }

  /** With what was typed into some fields, be it nothing; the others stay as they are. */
  LabForm with(Query query) {
    LabForm typed = new LabForm(values);
    for (String name : fields()) {
      String value = query.value(name);
      if (value != null) {
        typed.values.put(name, value.strip());
      }
    }
    return typed;
  }

  /**
   * The fields that a form was sent without, because they were left empty: they have the value that
   * the policy had.
   */
  Set<String> untyped(Query query) {
    return query.value(JITTER) == null
        ? Set.of()
        : Stream.concat(own().stream(), ALWAYS.stream())
            .filter(field -> query.value(field) == null && !get(field).isEmpty())
            .collect(Collectors.toSet());
  }

  private static String shown(JsonNode value) {
    if (value.isArray()) {
      return String.join(" ", value.valueStream().map(LabForm::shown).toList());
    }
    return value.isString() ? Lengths.typed(value.stringValue()) : value.toString();
  }

  /** What was typed; empty for nothing. */
  public String get(String field) {
    return values.getOrDefault(field, "");
  }

  /** Its kind of jitter. */
  public String jitter() {
    return values.getOrDefault(JITTER, "full");
  }

  /** How many jobs fail together. */
  public String jobs() {
    return values.getOrDefault(JOBS, "1000");
  }

  /** The body that asks for a preview. */
  String body() {
    Map<String, Object> policy = new LinkedHashMap<>();
    policy.put(JITTER, jitter());
    for (String field : own()) {
      put(policy, field);
    }
    for (String field : ALWAYS) {
      put(policy, field);
    }
    return Json.pretty(Map.of("policy", policy, JOBS, number(jobs())));
  }

  private void put(Map<String, Object> policy, String field) {
    String value = get(field);
    if (!value.isEmpty()) {
      policy.put(field, typed(field, value));
    }
  }

  private static Object typed(String field, String value) {
    if (field.equals("steps")) {
      return Arrays.stream(value.split("[\\s,]+")).map(Lengths::iso).toList();
    }
    return LENGTHS.contains(field) ? Lengths.iso(value) : number(value);
  }

  private static Object number(String value) {
    if (value.matches("\\d{1,9}")) {
      return Integer.valueOf(value);
    }
    return value.matches("\\d{1,9}\\.\\d{1,9}") ? Double.valueOf(value) : value;
  }

  /** The fields that this jitter takes; the others keep what was typed, and are not sent. */
  public List<String> own() {
    return switch (jitter()) {
      case "full" -> List.of("base", "factor", "cap", "floor");
      case "equal", "none" -> List.of("base", "factor", "cap");
      case "additive" -> List.of("base", "factor", "cap", "spread");
      case "decorrelated" -> List.of("base", "cap");
      case "slots" -> List.of("slot");
      case "list" -> List.of("steps", "proportion");
      default -> List.of();
    };
  }

  /** What was typed, as names and values in turn. */
  String path(String path) {
    List<String> pairs = new ArrayList<>();
    values.forEach((name, value) -> pairs.addAll(List.of(name, value)));
    return Url.of(path, pairs.toArray(String[]::new));
  }
}
