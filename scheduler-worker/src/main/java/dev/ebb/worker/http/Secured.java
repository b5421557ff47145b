package dev.ebb.worker.http;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.signing.SecretBox;

/** What a delivery needs of the secrets of its destination. */
sealed interface Secured<T> {

  /** It is there. */
  record Ready<T>(T value) implements Secured<T> {}

  /** Nothing may be sent, and the attempt ends so. */
  record Unsent<T>(Outcome outcome) implements Secured<T> {}

  static <T> Secured<T> refused(String reason, String message) {
    return new Unsent<>(Outcome.failed(reason, message));
  }

  /**
   * A secret that the box does not open: another node may have the key that sealed it, or it is
   * damaged.
   *
   * @param reason of the failure if it is damaged
   * @param what it is
   */
  static <T> Secured<T> unopened(SecretBox box, String sealed, String reason, String what) {
    return new Unsent<>(
        box.hasKeyOf(sealed)
            ? new Outcome.Failed(NoAnswer.damaged(reason, what))
            : NoAnswer.noKey());
  }
}
