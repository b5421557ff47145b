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

  /** A nonce for one seal. */
  public static byte[] nonce() {
    return random(SecretBox.NONCE_BYTES);
  }

  /** The refusal of a secret on a node that has no key for it. */
  public static Refusal noKey() {
    return Refusal.of(
        ProblemCode.NO_SECRETS_KEY,
        "This node has no key to encrypt secrets with: set EBB_SECRETS_KEY or"
            + " EBB_SECRETS_KEY_FILE on every node.");
  }

  /**
   * Seals a secret for a context.
   *
   * @throws Refusal on a node that has no key for that
   */
  public String seal(byte[] secret, String context) {
    if (!box.canSeal()) {
      throw noKey();
    }
    return box.seal(secret, nonce(), context);
  }
}
