package dev.ebb.db.json;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.signing.KeyShare;
import dev.ebb.core.signing.SignerNames;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The keys of a destination as its row has them: their secrets are sealed. */
final class SigningKeyJson {
  private SigningKeyJson() {}

  static List<SigningKey> read(JsonNode json) {
    List<SigningKey> keys = new ArrayList<>();
    for (JsonNode one : json.values()) {
      JsonFields fields = new JsonFields(one);
      SigningScheme scheme =
          SigningScheme.named(fields.string("scheme", ""))
              .orElseThrow(() -> new InvalidInput("scheme", "is not known to this version"));
      keys.add(
          new SigningKey(
              fields.string("id", ""),
              scheme,
              fields.string("sealed", ""),
              text(fields, "publicKey"),
              Instant.parse(fields.string("createdAt", "")),
              instant(fields, "expiresAt"),
              new SignerNames(
                  text(fields, "serial"), text(fields, "headerPrefix"), text(fields, "clientId")),
              share(fields.object("share"))));
    }
    return keys;
  }

  private static @Nullable String text(JsonFields fields, String name) {
    return fields.has(name) ? fields.string(name, "") : null;
  }

  private static @Nullable Instant instant(JsonFields fields, String name) {
    return fields.has(name) ? Instant.parse(fields.string(name, "")) : null;
  }

  private static @Nullable KeyShare share(@Nullable JsonNode json) {
    if (json == null) {
      return null;
    }
    JsonFields fields = new JsonFields(json);
    return new KeyShare(
        fields.integer("percent", 0),
        Instant.parse(fields.string("since", "")),
        instant(fields, "wholeAt"));
  }

  static void write(List<SigningKey> keys, ArrayNode json) {
    for (SigningKey key : keys) {
      ObjectNode one =
          json.addObject()
              .put("id", key.id())
              .put("scheme", key.scheme().word())
              .put("sealed", key.sealed())
              .put("createdAt", key.createdAt().toString());
      put(one, "publicKey", key.publicKey());
      put(one, "expiresAt", key.expiresAt());
      put(one, "serial", key.names().serial());
      put(one, "headerPrefix", key.names().headerPrefix());
      put(one, "clientId", key.names().clientId());
      KeyShare share = key.share();
      if (share != null) {
        ObjectNode of = one.putObject("share").put("percent", share.percent());
        put(of, "since", share.since());
        put(of, "wholeAt", share.wholeAt());
      }
    }
  }

  private static void put(ObjectNode json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value.toString());
    }
  }
}
