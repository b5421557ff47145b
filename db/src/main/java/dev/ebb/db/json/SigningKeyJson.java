package dev.ebb.db.json;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
              fields.has("publicKey") ? fields.string("publicKey", "") : null,
              Instant.parse(fields.string("createdAt", "")),
              fields.has("expiresAt") ? Instant.parse(fields.string("expiresAt", "")) : null));
    }
    return keys;
  }

  static void write(List<SigningKey> keys, ArrayNode json) {
    for (SigningKey key : keys) {
      ObjectNode one =
          json.addObject()
              .put("id", key.id())
              .put("scheme", key.scheme().word())
              .put("sealed", key.sealed())
              .put("createdAt", key.createdAt().toString());
      if (key.publicKey() != null) {
        one.put("publicKey", key.publicKey());
      }
      if (key.expiresAt() != null) {
        one.put("expiresAt", key.expiresAt().toString());
      }
    }
  }
}
