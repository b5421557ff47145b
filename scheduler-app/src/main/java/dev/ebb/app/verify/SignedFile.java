package dev.ebb.app.verify;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.contract.SignedExport;
import dev.ebb.core.signing.Dsse;
import java.security.PublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file that says to be signed.
 *
 * @param export whose fields are all there
 */
record SignedFile(SignedExport export) {
  private static final String NOTHING = " Nothing in it is proven.";

  /**
   * The file.
   *
   * @throws CannotStart if it has not the form of an export
   */
  static SignedFile read(String text, String name) {
    try {
      SignedExport export = JsonMapper.shared().readValue(text, SignedExport.class);
      if (export.signatures().stream().allMatch(one -> one.keyid() != null && one.sig() != null)
          && export.payload() != null
          && export.payloadType() != null) {
        return new SignedFile(export);
      }
    } catch (JacksonException | NullPointerException _) {
      // What is wrong is told below.
    }
    throw CannotStart.unable(
        name + " is not the signed export of a job, or was cut or changed." + NOTHING);
  }

  /**
   * The id of the key that signed it.
   *
   * @throws CannotStart if none of these did
   */
  String signer(KnownKeys keys) {
    byte[] payload = bytes(export.payload());
    for (SignedExport.Signature signature : export.signatures()) {
      byte[] sig = bytes(signature.sig());
      for (Map.Entry<String, PublicKey> key : keys.byId().entrySet()) {
        if (Dsse.isSigned(key.getValue(), export.payloadType(), payload, sig)) {
          return requireExport(key.getKey());
        }
      }
    }
    throw CannotStart.unable(whyNot(keys) + NOTHING);
  }

  private String requireExport(String key) {
    if (!export.payloadType().equals(SignedExport.TYPE)) {
      throw CannotStart.unable(
          "It is signed, but is no export of a job: its type is " + export.payloadType() + ".");
    }
    return key;
  }

  private String whyNot(KnownKeys keys) {
    List<String> named = export.signatures().stream().map(SignedExport.Signature::keyid).toList();
    return named.stream().anyMatch(keys.byId()::containsKey)
        ? "It was changed after it was signed, in its content, its type or the signature; a"
            + " signature does not tell where."
        : "None of the given keys signed it. It names the key "
            + String.join(", ", named)
            + ": it comes from another cluster, from one whose newer keys you have not, or from a"
            + " forger.";
  }

  private static byte[] bytes(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw CannotStart.unable(
          "It was cut or changed after it was signed: it has a part that is no base64." + NOTHING);
    }
  }

  /** What was signed, of which only the signature is known to be right. */
  JsonNode content() {
    try {
      return JsonMapper.shared().readTree(bytes(export.payload()));
    } catch (JacksonException _) {
      throw CannotStart.unable("It is signed, but its content is no JSON.");
    }
  }
}
