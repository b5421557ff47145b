package dev.ebb.db.json;

import dev.ebb.core.tls.TlsSettings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a destination has of its own for TLS, as its row has it: the key is sealed. */
final class TlsJson {
  private TlsJson() {}

  static @Nullable TlsSettings read(JsonNode json) {
    if (!json.isObject()) {
      return null;
    }
    JsonFields fields = new JsonFields(json);
    return new TlsSettings(
        text(fields, "trust"), text(fields, "certificate"), text(fields, "sealedKey"));
  }

  private static @Nullable String text(JsonFields fields, String name) {
    return fields.has(name) ? fields.string(name, "") : null;
  }

  static String write(TlsSettings tls) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    put(json, "trust", tls.trust());
    put(json, "certificate", tls.certificate());
    put(json, "sealedKey", tls.sealedKey());
    return json.toString();
  }

  private static void put(ObjectNode json, String name, @Nullable String text) {
    if (text != null) {
      json.put(name, text);
    }
  }
}
