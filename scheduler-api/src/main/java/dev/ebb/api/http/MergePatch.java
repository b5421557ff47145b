package dev.ebb.api.http;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Merges patches into JSON texts as RFC 7396 says: what is null in the patch is removed, an object
 * is merged member by member, anything else is replaced. A value that the patch does not name stays
 * to the byte.
 */
public final class MergePatch {
  private MergePatch() {}

  /** The JSON text of an object, patched. */
  public static JsonObject apply(String target, JsonObject patch) {
    return JsonObject.of(JsonValue.of(merged(JsonValue.of(target), patch.members())));
  }

  private static String merged(@Nullable JsonValue target, JsonValue patch) {
    return patch.kind() == JsonToken.START_OBJECT ? merged(target, patch.members()) : patch.text();
  }

  private static String merged(@Nullable JsonValue target, Map<String, JsonValue> patch) {
    Map<String, JsonValue> before =
        target != null && target.kind() == JsonToken.START_OBJECT ? target.members() : Map.of();
    Map<String, String> texts = new LinkedHashMap<>();
    before.forEach((name, value) -> texts.put(name, value.text()));
    patch.forEach((name, value) -> {
      if (value.kind() == JsonToken.VALUE_NULL) {
        texts.remove(name);
      } else {
        texts.put(name, merged(before.get(name), value));
      }
    });
    return texts.entrySet().stream()
        .map(member -> quoted(member.getKey()) + ":" + member.getValue())
        .collect(joining(",", "{", "}"));
  }

  private static String quoted(String name) {
    return JsonMapper.shared().writeValueAsString(name);
  }
}
