package dev.ebb.api.secrets;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.signing.SecretBox;
import java.security.SecureRandom;

/** Seals secrets before they are stored. */
public final class Sealing {
  public static final SecureRandom RANDOM = new SecureRandom();

  private final SecretBox box;

  public Sealing(SecretBox box) {
    this.box = box;
  }

  public static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /**
   * Seals a secret for a context.
   *
   * @throws Refusal on a node that has no key for that
   */
  public String seal(byte[] secret, String context) {
    if (!box.canSeal()) {
      throw Refusal.of(
          ProblemCode.NO_SECRETS_KEY,
          "This node has no key to encrypt secrets with: set EBB_SECRETS_KEY or"
              + " EBB_SECRETS_KEY_FILE on every node.");
    }
    return box.seal(secret, random(SecretBox.NONCE_BYTES), context);
  }
}
