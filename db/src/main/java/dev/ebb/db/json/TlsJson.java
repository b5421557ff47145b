package dev.ebb.db.json;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.tls.Certificates;
import dev.ebb.core.tls.TlsSettings;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a destination has of its own for TLS, as its row has it: the key is sealed. When the client
 * certificate ends stands beside it, for those who look for what ends soon.
 */
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
    put(json, "certificateEndsAt", tls.certificate() == null ? null : end(tls.certificate()));
    return json.toString();
  }

  /** When the first of the chain ends; {@code null} of what cannot be read. */
  private static @Nullable String end(String pem) {
    try {
      return Certificates.parse(pem, "").stream()
          .map(one -> one.getNotAfter().toInstant())
          .min(Comparator.naturalOrder())
          .map(Instant::toString)
          .orElse(null);
    } catch (InvalidInput _) {
      return null;
    }
  }

  private static void put(ObjectNode json, String name, @Nullable String text) {
    if (text != null) {
      json.put(name, text);
    }
  }
}
