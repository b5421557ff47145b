package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Settlement;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Responses that are no success, and what becomes of a job that gets one.
 *
 * @param body {@code null} for a body that does not matter
 * @param reason the failure's, by which failures are grouped: 1 to 40 lower-case letters, digits
 *     and _, beginning with a letter, and none of those that Ebb gives itself
 */
public record ResponseClass(
    StatusSet statuses, @Nullable BodyTest body, Effect effect, String reason) {
  private static final Pattern REASON = Pattern.compile("[a-z][a-z0-9_]{0,39}");

  /** What Ebb does with a failure, or says of it, may depend on them. */
  private static final Set<String> OWN =
      Set.of(
          Failure.WORKER_LOST,
          Failure.TIMEOUT,
          Failure.EXCEPTION,
          Failure.UNREADABLE_PAYLOAD,
          Failure.NOT_READY,
          Failure.DEADLINE,
          Settlement.ATTEMPTS_USED_UP,
          ResponseClassifier.BODY_MISMATCH,
          ResponseClassifier.ABORTED);

  /** What such a response means. */
  public enum Effect {
    /** Another attempt would fail as well: the job becomes a dead letter. */
    PERMANENT,
    /** The same, and so would any other job: the destination is disabled, as by a 410. */
    DISABLE,
    /** Too much at once: the queue slows down, and {@code Retry-After} counts. */
    THROTTLED,
    /** The next attempt may succeed. */
    RETRYABLE,
    /** Asked too early: the job asks again by its policy's delays, and spends no attempt. */
    NOT_READY;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ResponseClass {
    require(
        REASON.matcher(reason).matches(),
        "reason",
        "must be 1 to 40 of a-z, 0-9 and _, beginning with a letter");
    require(
        !OWN.contains(reason) && !reason.startsWith(ResponseClassifier.STATUS),
        "reason",
        "must not be one that Ebb gives itself");
  }
}
