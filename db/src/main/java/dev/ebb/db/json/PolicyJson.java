package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.contract.Policy;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.ListBackoff;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.core.retry.SlotBackoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A retry policy as JSON, in the database and over REST: the name of a preset, or an object.
 *
 * <pre>
 *   jitter              its own fields
 *   full (default)      base, cap, factor = 2, floor = PT0S
 *   equal, none         base, cap, factor = 2
 *   additive            base, cap, factor = 2, spread
 *   decorrelated        base, cap
 *   slots               slot
 *   list                steps, proportion = 0
 *   every               maxAttempts = 16 (of a list: its steps and one), deadline, priorityScale
 * </pre>
 *
 * <p>Durations are ISO-8601 such as {@code PT30S}; a day counts 24 hours. A field that is not in
 * the table is refused like any other that breaks a rule. Null is absent; and since many a client
 * sends the defaults that its caller left out, the field of another jitter may be null, its default
 * or without steps.
 */
public final class PolicyJson {
  private static final String ROOT = "policy";
  private static final int DEFAULT_ATTEMPTS = 16;
  private static final double DEFAULT_FACTOR = 2;
  private static final Set<String> OF_JITTERS =
      Set.of("base", "factor", "cap", "floor", "spread", "slot", "steps", "proportion");

  private PolicyJson() {}

  /**
   * Reads a preset's name or an object.
   *
   * @throws InvalidInput on anything else; its field starts at {@code policy}, for example {@code
   *     policy.base} or {@code policy.steps[3]}
   */
  public static RetryPolicy read(JsonNode json) {
    if (json.isString()) {
      return Presets.policy(json.stringValue());
    }
    require(json.isObject(), ROOT, "must be the name of a preset or an object");
    try {
      return policy(new JsonFields(json));
    } catch (InvalidInput broken) {
      throw broken.under(ROOT);
    }
  }

  /** The policy as an object with every field that has a value; {@link #read} reads it back. */
  public static JsonNode write(RetryPolicy policy) {
    return JsonMapper.shared().valueToTree(shown(policy));
  }

  /** The policy as answers show it. */
  public static Policy shown(RetryPolicy policy) {
    Map<Integer, Number> scales = new TreeMap<>();
    policy.priorityScale().forEach((priority, scale) -> scales.put(priority, number(scale)));
    Shape shape = shape(policy.backoff());
    Growth growth = shape.growth();
    return new Policy(
        shape.jitter(),
        shape.floor(),
        shape.spread(),
        shape.slot(),
        growth == null ? shape.base() : growth.base(),
        growth == null ? null : number(growth.factor()),
        growth == null ? shape.cap() : growth.cap(),
        shape.steps(),
        shape.proportion(),
        policy.maxAttempts(),
        policy.deadline(),
        scales.isEmpty() ? null : scales);
  }

  private static RetryPolicy policy(JsonFields fields) {
    Backoff backoff = backoff(fields);
    int defaultAttempts =
        backoff instanceof ListBackoff list ? list.steps().size() + 1 : DEFAULT_ATTEMPTS;
    int maxAttempts = fields.integer("maxAttempts", defaultAttempts);
    Duration deadline = fields.has("deadline") ? fields.duration("deadline") : null;
    Map<Integer, Double> priorityScale = priorityScale(fields);
    fields.requireNoOthers(PolicyJson::saysNothing);
    return new RetryPolicy(backoff, maxAttempts, deadline, priorityScale);
  }

  private static boolean saysNothing(String field, JsonNode value) {
    if (value.isNull()) {
      return OF_JITTERS.contains(field);
    }
    return switch (field) {
      case "factor" -> isNumber(value, DEFAULT_FACTOR);
      case "proportion" -> isNumber(value, 0);
      case "floor" -> value.isString() && value.stringValue().equals(Duration.ZERO.toString());
      case "steps" -> value.isArray() && value.isEmpty();
      default -> false;
    };
  }

  private static boolean isNumber(JsonNode value, double number) {
    return value.isNumber() && value.doubleValueOpt().orElse(Double.NaN) == number;
  }

  private static Backoff backoff(JsonFields fields) {
    return switch (fields.string("jitter", "full")) {
      case "full" -> new Backoff.Full(fields.duration("floor", Duration.ZERO), growth(fields));
      case "equal" -> new Backoff.Equal(growth(fields));
      case "decorrelated" ->
          new Backoff.Decorrelated(fields.duration("base"), fields.duration("cap"));
      case "additive" -> new Backoff.Additive(fields.duration("spread"), growth(fields));
      case "none" -> new Backoff.None(growth(fields));
      case "slots" -> new SlotBackoff(fields.duration("slot"));
      case "list" -> new ListBackoff(fields.durations("steps"), fields.number("proportion", 0));
      default ->
          throw new InvalidInput(
              "jitter", "must be one of full, equal, decorrelated, additive, none, slots, list");
    };
  }

  private static Growth growth(JsonFields fields) {
    return new Growth(
        fields.duration("base"), fields.number("factor", DEFAULT_FACTOR), fields.duration("cap"));
  }

  private static Map<Integer, Double> priorityScale(JsonFields fields) {
    Map<Integer, Double> scales = new TreeMap<>();
    fields
        .numbers("priorityScale")
        .forEach((name, scale) -> {
          require(
              name.matches("[0-9]"),
              "priorityScale",
              "must have priorities between 0 and 9 as names");
          scales.put(Integer.parseInt(name), scale);
        });
    return scales;
  }

  /** What a jitter has. */
  private record Shape(
      String jitter,
      @Nullable Growth growth,
      @Nullable Duration floor,
      @Nullable Duration spread,
      @Nullable Duration slot,
      @Nullable Duration base,
      @Nullable Duration cap,
      @Nullable List<Duration> steps,
      @Nullable Number proportion) {
    static Shape of(String jitter, Growth growth) {
      return new Shape(jitter, growth, null, null, null, null, null, null, null);
    }
  }

  private static Shape shape(Backoff backoff) {
    return switch (backoff) {
      case Backoff.Full(Duration floor, Growth growth) ->
          new Shape("full", growth, floor, null, null, null, null, null, null);
      case Backoff.Equal(Growth growth) -> Shape.of("equal", growth);
      case Backoff.None(Growth growth) -> Shape.of("none", growth);
      case Backoff.Additive(Duration spread, Growth growth) ->
          new Shape("additive", growth, null, spread, null, null, null, null, null);
      case Backoff.Decorrelated(Duration base, Duration cap) ->
          new Shape("decorrelated", null, null, null, null, base, cap, null, null);
      case SlotBackoff(Duration slot) ->
          new Shape("slots", null, null, null, slot, null, null, null, null);
      case ListBackoff list ->
          new Shape(
              "list", null, null, null, null, null, null, list.steps(), number(list.proportion()));
    };
  }

  /** Whole numbers without a point, as people write them. */
  private static Number number(double number) {
    return number == Math.rint(number) ? (Number) (long) number : (Number) number;
  }
}
