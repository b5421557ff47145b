package dev.ebb.api.http;

import dev.ebb.api.problem.Pointers;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.Violations;
import dev.ebb.contract.Violation;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.OrderingJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object in a body, read field by field; every refusal points at the field.
 *
 * <p>A field that is null is absent, and so is an optional list without elements: clients that were
 * generated from the contract send them for what their callers left out. Unknown names are refused
 * all the same.
 */
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

  /** A body of JSON. */
  public static JsonObject parse(String text) {
    return parse(text, JsonText.MAX_DEPTH);
  }

  static JsonObject parse(String text, int maxDepth) {
    JsonText.check(text, maxDepth);
    return of(JsonValue.of(text));
  }

  /** The same of a text that may be null as well, which is an object without fields. */
  static JsonObject parseOptional(String text, int maxDepth) {
    JsonText.check(text, maxDepth);
    JsonValue value = JsonValue.of(text);
    return value.isNull() ? empty() : of(value);
  }

  /** An object without fields. */
  public static JsonObject empty() {
    return new JsonObject("", "{}", Map.of());
  }

  public Map<String, JsonValue> members() {
    return members;
  }

  /** Whether the field is given, and is not null. */
  public boolean has(String name) {
    return given(name) != null;
  }

  /** Whether the object names the field, be it as null, by which a merge patch removes it. */
  public boolean names(String name) {
    return members.containsKey(name);
  }

  private @Nullable JsonValue given(String name) {
    JsonValue value = members.get(name);
    return value == null || value.isNull() ? null : value;
  }

  /** The same object without that field; its text stays as it was. */
  public JsonObject without(String name) {
    Map<String, JsonValue> others = new LinkedHashMap<>(members);
    others.remove(name);
    return new JsonObject(pointer, text, others);
  }

  /** Refuses every field but these. */
  public void allow(String... fields) {
    allow(members.keySet(), fields);
  }

  /** Refuses every field but these that is given; of the others, null is none. */
  public void allowGiven(String... fields) {
    allow(members.keySet().stream().filter(this::has).toList(), fields);
  }

  private void allow(Collection<String> names, String... fields) {
    List<Violation> unknown = new ArrayList<>();
    for (String name : names) {
      if (!List.of(fields).contains(name) && unknown.size() < 10) {
        unknown.add(
            Violations.of(Pointers.child(pointer, name), null, Names.unknown(name, fields)));
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
    JsonValue value = given("policy");
    return value == null || !value.isString() ? null : value.string();
  }

  /** The field {@code rateLimit}. */
  public @Nullable RateLimit rateLimit() {
    return optional("rateLimit", value -> build(() -> RateLimitJson.read(value.tree())));
  }

  /** The field {@code ordering}. */
  public @Nullable Ordering ordering() {
    return optional("ordering", value -> build(() -> OrderingJson.read(value.tree())));
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

  /** The strings of the field's list, of which {@code most} are read; empty where it is absent. */
  public List<String> strings(String name, int most) {
    return list(name, most).stream().map(JsonValue::string).toList();
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

  /** The field, which must be given. */
  public JsonValue required(String name) {
    return present(name, given(name));
  }

  /** The field, which must be there, and of which null is a value. */
  public JsonValue value(String name) {
    return present(name, members.get(name));
  }

  private JsonValue present(String name, @Nullable JsonValue value) {
    if (value == null) {
      throw Refusal.field(Pointers.child(pointer, name), "must be given");
    }
    return value;
  }

  /** The field's object; without fields where it is absent. */
  public JsonObject object(String name) {
    JsonValue value = given(name);
    return value == null
        ? new JsonObject(Pointers.child(pointer, name), "{}", Map.of())
        : of(value);
  }

  /** The first values of the field's list, {@code most} of them; empty where it is absent. */
  public List<JsonValue> list(String name, int most) {
    JsonValue value = given(name);
    return value == null ? List.of() : value.list(most);
  }

  /** The field's boolean; {@code absent} where it is absent. */
  public boolean flag(String name, boolean absent) {
    Boolean value = optional(name, JsonValue::bool);
    return value == null ? absent : value;
  }

  /** What is read from the field; {@code null} where it is absent. */
  public <T> @Nullable T optional(String name, Function<JsonValue, T> read) {
    JsonValue value = given(name);
    return value == null ? null : read.apply(value);
  }
}
