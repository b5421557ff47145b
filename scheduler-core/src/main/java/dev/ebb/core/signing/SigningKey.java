package dev.ebb.core.signing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key with which the deliveries to a destination are signed.
 *
 * @param id by which people know it
 * @param sealed the secret, which a {@link SecretBox} opens
 * @param publicKey of a scheme that has one, as its receivers take it
 * @param expiresAt from when on it signs no more; {@code null} for never
 */
public record SigningKey(
    String id,
    SigningScheme scheme,
    String sealed,
    @Nullable String publicKey,
    Instant createdAt,
    @Nullable Instant expiresAt) {
  /** How many a destination may have. */
  public static final int MAX = 5;

  public boolean isActive(Instant now) {
    return expiresAt == null || now.isBefore(expiresAt);
  }

  /** What its secret is sealed for. */
  public String context(String destination) {
    return context(destination, id);
  }

  /** That of a key which is still to be made. */
  public static String context(String destination, String id) {
    return destination + "/" + id;
  }

  /** The same until then, if it does not expire sooner. */
  public SigningKey until(Instant end) {
    boolean isSooner = expiresAt != null && expiresAt.isBefore(end);
    return isSooner ? this : new SigningKey(id, scheme, sealed, publicKey, createdAt, end);
  }
}
