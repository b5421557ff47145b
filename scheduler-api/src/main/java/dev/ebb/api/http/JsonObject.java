package dev.ebb.api.http;

import dev.ebb.api.problem.Pointers;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.Violation;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An object in a body, read field by field; every refusal points at the field. */
public final class JsonObject {
  private final String pointer;
  private final String text;
  private final Map<String, JsonValue> members;

  private JsonObject(String pointer, String text, Map<String, JsonValue> members) {
    this.pointer = pointer;
    this.text = text;
    this.members = members;
  }

  /** The value as an object, of which nothing is checked yet. */
  public static JsonObject of(JsonValue value) {
    return new JsonObject(value.pointer(), value.text(), value.members());
  }

  /** Its text, to the byte. */
  public String text() {
    return text;
  }

  static JsonObject parse(String text, int maxDepth) {
    JsonText.check(text, maxDepth);
    return of(JsonValue.of(text));
  }

  Map<String, JsonValue> members() {
    return members;
  }

  /** Whether the field is given, be it as null. */
  public boolean has(String name) {
    return members.containsKey(name);
  }

  /** The same object without that field; its text stays as it was. */
  public JsonObject without(String name) {
    Map<String, JsonValue> others = new LinkedHashMap<>(members);
    others.remove(name);
    return new JsonObject(pointer, text, others);
  }

  /** Refuses every field but these. */
  public void allow(String... fields) {
    List<Violation> unknown = new ArrayList<>();
    for (String name : members.keySet()) {
      if (!List.of(fields).contains(name) && unknown.size() < 10) {
        unknown.add(
            new Violation(Pointers.child(pointer, name), null, Names.unknown(name, fields)));
      }
    }
    if (!unknown.isEmpty()) {
      throw Refusal.fields(unknown);
    }
  }

  /** The field {@code policy}: one of these names, or an object. */
  public @Nullable RetryPolicy policy(PolicyNames names) {
    return optional(
        "policy",
        value ->
            build(() ->
                value.isString() ? names.named(value.string()) : PolicyJson.read(value.tree())));
  }

  /** The name in the field {@code policy}; {@code null} if it holds none. */
  public @Nullable String policyName() {
    JsonValue value = members.get("policy");
    return value == null || !value.isString() ? null : value.string();
  }

  /** The field {@code rateLimit}. */
  public @Nullable RateLimit rateLimit() {
    return optional("rateLimit", value -> build(() -> RateLimitJson.read(value.tree())));
  }

  /** The field's object of strings; empty where absent. */
  public Map<String, String> strings(String name) {
    Map<String, String> strings = new LinkedHashMap<>();
    JsonObject object = optional(name, JsonObject::of);
    if (object != null) {
      object.members.forEach((key, value) -> strings.put(key, value.string()));
    }
    return strings;
  }

  /** Builds a value from this object's fields; a rule that it keeps is refused at its field. */
  public <T> T build(Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidInput invalid) {
      throw refused(invalid);
    }
  }

  /** The refusal of the field of this object that breaks the rule. */
  public Refusal refused(InvalidInput invalid) {
    return Refusal.field(pointer + Pointers.of(invalid.field()), invalid.rule());
  }

  /** The field, which must be there. */
  public JsonValue required(String name) {
    JsonValue value = members.get(name);
    if (value == null) {
      throw Refusal.field(Pointers.child(pointer, name), "must be given");
    }
    return value;
  }

  /** The field's boolean; {@code absent} where it is absent. */
  public boolean flag(String name, boolean absent) {
    Boolean value = optional(name, JsonValue::bool);
    return value == null ? absent : value;
  }

  /** What is read from the field; {@code null} where it is absent. */
  public <T> @Nullable T optional(String name, Function<JsonValue, T> read) {
    JsonValue value = members.get(name);
    return value == null ? null : read.apply(value);
  }
}
