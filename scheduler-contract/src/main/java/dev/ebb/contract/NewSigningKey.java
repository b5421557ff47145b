package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that was just added.
 *
 * @param id its id
 * @param scheme how it signs
 * @param publicKey what the receiver verifies with; {@code null} of a shared secret
 * @param createdAt when it was made
 * @param secret what the receiver needs to verify; shown here alone, and absent where its sender
 *     gave it or the receiver needs only the public key
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewSigningKey(
    String id,
    String scheme,
    @Nullable String publicKey,
    Instant createdAt,
    @Nullable String secret) {

  /** Without the secret. */
  @Override
  public String toString() {
    return "NewSigningKey[" + id + "]";
  }
}
