package dev.ebb.core.http;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import java.util.Set;

/**
 * Turns the answer to a delivery into its outcome.
 *
 * <pre>
 *   an answer that the delivery accepts      completed
 *   a status configured as fatal             fatal
 *   429, any 4xx or 5xx with Retry-After     throttled
 *   every other answer, 3xx among them       failed
 * </pre>
 *
 * The reason of an answer that is not accepted is {@code http_<status>}.
 */
public final class ResponseClassifier {
  private static final int TOO_MANY_REQUESTS = 429;

  private ResponseClassifier() {}

  /** The outcome of a delivery that was answered. */
  public static Outcome of(
      HttpDelivery delivery, DeliveryResponse response, Set<Integer> fatalStatuses) {
    if (delivery.accepts(response)) {
      return Outcome.completed();
    }
    int status = response.status();
    Failure failure = new Failure("http_" + status, "the destination answered " + status);
    if (fatalStatuses.contains(status)) {
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
