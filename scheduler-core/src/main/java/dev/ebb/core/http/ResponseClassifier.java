package dev.ebb.core.http;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;

/**
 * Turns the answer to a delivery into its outcome.
 *
 * <pre>
 *   an answer that the delivery accepts      completed
 *   410 Gone                                 fatal
 *   429, any 4xx or 5xx with Retry-After     throttled
 *   every other answer, 3xx among them       failed
 * </pre>
 *
 * The reason of an answer that is not accepted is {@code http_<status>}. Only 410 is fatal: a
 * destination that is being deployed answers 400, 401, 403 and 404 as well.
 */
public final class ResponseClassifier {
  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;

  private ResponseClassifier() {}

  /** The outcome of a delivery that was answered. */
  public static Outcome of(HttpDelivery delivery, DeliveryResponse response) {
    if (delivery.accepts(response)) {
      return Outcome.completed();
    }
    int status = response.status();
    Failure failure = new Failure("http_" + status, "the destination answered " + status);
    if (status == GONE) {
      return new Outcome.Fatal(failure);
    }
    Duration wait = response.retryAfter();
    if (status >= 400 && wait != null) {
      return new Outcome.Throttled(failure, wait);
    }
    return status == TOO_MANY_REQUESTS
        ? new Outcome.Throttled(failure, Duration.ZERO)
        : new Outcome.Failed(failure);
  }
}
