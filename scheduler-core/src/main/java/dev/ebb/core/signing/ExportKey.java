package dev.ebb.core.signing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key with which a cluster signs what it exports.
 *
 * @param id the SHA-256 of the public key
 * @param publicKey as PEM
 * @param sealed the private key, which a {@link SecretBox} opens; {@code null} once it is forgotten
 * @param retiredAt from when on another signs; {@code null} for the one that does
 */
public record ExportKey(
    String id,
    String publicKey,
    @Nullable String sealed,
    Instant createdAt,
    @Nullable Instant retiredAt) {

  /** What the private key of that id is sealed for: no destination has a colon in its name. */
  public static String context(String id) {
    return "export:" + id;
  }
}
