package dev.ebb.app.verify;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.signing.Dsse;
import java.security.PublicKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The public keys that a reader trusts, by their ids: these are computed, not read. */
record KnownKeys(Map<String, PublicKey> byId) {

  /**
   * Those of a file: the answer of {@code GET /v1/export-keys}, or PEM.
   *
   * @throws CannotStart if there is none, or what is there is no key of Ed25519
   */
  static KnownKeys read(String text, String name) {
    try {
      Map<String, PublicKey> byId = new LinkedHashMap<>();
      for (String pem : pems(text)) {
        PublicKey key = Dsse.publicKey(pem);
        byId.put(Dsse.id(key), key);
      }
      if (!byId.isEmpty()) {
        return new KnownKeys(byId);
      }
    } catch (InvalidInput | JacksonException _) {
      // The rule is told below.
    }
    throw CannotStart.unable(
        name + " has no public key of Ed25519, neither as PEM nor as GET /v1/export-keys answers.");
  }

  private static List<String> pems(String text) {
    return text.strip().startsWith("{")
        ? JsonMapper.shared().readTree(text).findValuesAsString("publicKey")
        : List.of(text);
  }
}
