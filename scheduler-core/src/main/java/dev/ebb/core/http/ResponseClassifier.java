package dev.ebb.core.http;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the response to a delivery into its outcome: the first line that fits.
 *
 * <pre>
 *   the delivery's success rule                            completed
 *   a status of that rule, with a body that did not end    failed       body_mismatch
 *   a class of the delivery's rules                        as it says
 *   webhook-delivery: disable or abort-message             fatal        aborted_by_destination
 *   410 Gone, 501 Not Implemented                          fatal        http_410, http_501
 *   429, any 4xx or 5xx with Retry-After                   throttled    http_429, …
 *   a status of the success rule, with another body        failed       body_mismatch
 *   every other response, 3xx among them                   failed       http_…
 * </pre>
 *
 * Of the statuses only 410 and 501 are fatal by themselves: a destination that is being deployed
 * answers 400, 401, 403 and 404 as well. A redirect is never followed. No message quotes a rule or
 * a body: both may hold what not everybody may read.
 */
public final class ResponseClassifier {
  /** The reason of a status that says success, with a body that does not. */
  static final String BODY_MISMATCH = "body_mismatch";

  /** The reason of a response that asks for no more attempts. */
  static final String ABORTED = "aborted_by_destination";

  /** Before a status, the reason of any other response. */
  static final String STATUS = "http_";

  private static final int GONE = 410;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int TOO_MANY_REQUESTS = 429;

  private final BodyPart.Reader json;

  /** One that reads bodies that are JSON by this. */
  public ResponseClassifier(BodyPart.Reader json) {
    this.json = json;
  }

  /** The outcome of a delivery that was answered. */
  public Outcome of(ResponseRules rules, DeliveryResponse response) {
    SuccessRule success = rules.success();
    if (fits(success.statuses(), success.body(), response)) {
      return Outcome.completed();
    }
    BodyTest expected = success.statuses().contains(response.status()) ? success.body() : null;
    // The next response may be whole, and no class is to take a broken connection for an answer.
    if (expected != null && expected.lacksEnd(response)) {
      return mismatch(response, "broke off, or is too long to test");
    }
    for (ResponseClass one : rules.classes()) {
      if (fits(one.statuses(), one.body(), response)) {
        return classed(one, response);
      }
    }
    return byDefault(expected != null, response);
  }

  private boolean fits(StatusSet statuses, @Nullable BodyTest body, DeliveryResponse response) {
    return statuses.contains(response.status()) && (body == null || body.holds(response, json));
  }

  private static Outcome classed(ResponseClass one, DeliveryResponse response) {
    Failure failure =
        new Failure(one.reason(), answered(response) + ", which its classes call " + one.reason());
    return switch (one.effect()) {
      case PERMANENT -> new Outcome.Fatal(failure);
      case THROTTLED ->
          new Outcome.Throttled(
              failure, Objects.requireNonNullElse(response.retryAfter(), Duration.ZERO));
      case RETRYABLE -> new Outcome.Failed(failure);
    };
  }

  private static Outcome byDefault(boolean isExpected, DeliveryResponse response) {
    int status = response.status();
    Failure failure = new Failure(STATUS + status, answered(response));
    if (response.asksToStop()) {
      return new Outcome.Fatal(
          new Failure(ABORTED, answered(response) + " and asked for no more attempts"));
    }
    if (status == GONE || status == NOT_IMPLEMENTED) {
      return new Outcome.Fatal(failure);
    }
    Duration wait = response.retryAfter();
    if (status >= 400 && wait != null) {
      return new Outcome.Throttled(failure, wait);
    }
    if (status == TOO_MANY_REQUESTS) {
      return new Outcome.Throttled(failure, Duration.ZERO);
    }
    if (!isExpected) {
      return new Outcome.Failed(failure);
    }
    return mismatch(
        response, response.body() == null ? "is not text" : "is not what success asks for");
  }

  private static Outcome mismatch(DeliveryResponse response, String why) {
    return Outcome.failed(BODY_MISMATCH, answered(response) + ", but its body " + why);
  }

  private static String answered(DeliveryResponse response) {
    return "the destination answered " + response.status();
  }
}
