package dev.ebb.db.audit;

import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an action changed, field by field, for the audit: which outlasts what it tells of, and is
 * read by others. So it has no payload, and no field takes more than {@value #LONGEST} characters.
 */
public final class Changes {
  static final int LONGEST = 500;

  private static final JsonMapper JSON = new JsonMapper();

  private final List<Change> changes = new ArrayList<>();

  /** A field's value before and after; nothing where they are the same. */
  public Changes add(String field, @Nullable Object before, @Nullable Object after) {
    String was = text(before);
    String is = text(after);
    if (!Objects.equals(was, is)) {
      changes.add(new Change(field, cut(was), cut(is)));
    }
    return this;
  }

  /** That a field whose values nobody is shown is another. */
  public Changes addHidden(String field, @Nullable Object before, @Nullable Object after) {
    if (!Objects.equals(before, after)) {
      changes.add(new Change(field, null, null));
    }
    return this;
  }

  public List<Change> list() {
    return List.copyOf(changes);
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case RetryPolicy policy -> PolicyJson.write(policy).toString();
      case RateLimit limit -> RateLimitJson.write(limit).toString();
      case Map<?, ?> map -> map.isEmpty() ? null : pairs(map);
      case Collection<?> all ->
          all.isEmpty()
              ? null
              : all.stream().map(String::valueOf).collect(Collectors.joining(", "));
      case Object other -> other.toString();
    };
  }

  private static String pairs(Map<?, ?> map) {
    TreeMap<String, String> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put(String.valueOf(key), String.valueOf(value)));
    return sorted.entrySet().stream()
        .map(pair -> pair.getKey() + "=" + pair.getValue())
        .collect(Collectors.joining(", "));
  }

  private static @Nullable String cut(@Nullable String text) {
    if (text == null || text.codePointCount(0, text.length()) <= LONGEST) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, LONGEST - 1)) + "…";
  }

  /** As it is stored; {@code null} for no change. */
  @Nullable String json() {
    if (changes.isEmpty()) {
      return null;
    }
    ArrayNode all = JSON.createArrayNode();
    for (Change change : changes) {
      ObjectNode one = all.addObject().put("field", change.field());
      if (change.before() != null) {
        one.put("from", change.before());
      }
      if (change.after() != null) {
        one.put("to", change.after());
      }
    }
    return all.toString();
  }

  /** Out of what is stored. */
  static List<Change> read(@Nullable String json) {
    if (json == null) {
      return List.of();
    }
    return JSON.readTree(json)
        .valueStream()
        .map(one ->
            new Change(one.path("field").asString(), text(one.path("from")), text(one.path("to"))))
        .toList();
  }

  private static @Nullable String text(JsonNode value) {
    return value.isString() ? value.stringValue() : null;
  }
}
