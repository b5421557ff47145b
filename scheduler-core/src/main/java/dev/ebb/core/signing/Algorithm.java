package dev.ebb.core.signing;

import dev.ebb.core.InvalidInput;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** How a scheme makes keys, and signs with them. */
sealed interface Algorithm permits HmacSha256, Ed25519, RsaSha256 {
  /**
   * Signs.
   *
   * @param secret that of a key of this algorithm
   */
  byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException;

  /** A secret as its receiver needs it; {@code null} where nobody else has it. */
  default @Nullable String shown(byte[] secret) {
    return null;
  }

  NewKey random(SecureRandom random) throws GeneralSecurityException;

  /**
   * A key that the receiver knows already.
   *
   * @param encoding of the text, {@code null} for what is usual
   * @throws InvalidInput that names the field {@code secret} or {@code encoding}
   */
  NewKey given(String text, @Nullable SecretEncoding encoding);
}
