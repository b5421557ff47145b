package dev.ebb.db;

import dev.ebb.core.signing.SecretBox;

/** The key with which tests seal secrets. */
public final class TestSecrets {
  public static final SecretBox BOX =
      SecretBox.parse("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");

  private TestSecrets() {}

  /** The secret as it is stored. */
  public static String seal(byte[] secret, String context) {
    return BOX.seal(secret, new byte[SecretBox.NONCE_BYTES], context);
  }
}
