package dev.ebb.core.tls;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.signing.SecretBox;
import org.jspecify.annotations.Nullable;

/**
 * What deliveries to a destination use for TLS, in place of what is usual.
 *
 * @param trust the only certificates that may vouch for it, as PEM; {@code null} for the public
 *     authorities
 * @param certificate what Ebb shows it, the own one first and then those of its issuers, as PEM;
 *     {@code null} for none
 * @param sealedKey the private key of that, in PKCS #8, which a {@link SecretBox} opens
 */
public record TlsSettings(
    @Nullable String trust, @Nullable String certificate, @Nullable String sealedKey) {
  public TlsSettings {
    require(trust != null || certificate != null, "", "must have trust, or certificate and key");
    require((certificate == null) == (sealedKey == null), "key", "must be given with certificate");
  }

  /** What the key is sealed for. No signing key has that id. */
  public static String context(String destination) {
    return destination + "/tls";
  }

  /** Shows nothing sealed. */
  @Override
  public String toString() {
    return "TlsSettings[" + (trust == null ? "" : "trust") + (certificate == null ? "" : " own]");
  }
}
