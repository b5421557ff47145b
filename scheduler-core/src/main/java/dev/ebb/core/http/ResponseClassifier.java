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
 *   a class of the delivery's rules                        as it says, or not ready
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
    return judge(rules, response).outcome();
  }

  /** The same, with the rule that decided. */
  public Verdict judge(ResponseRules rules, DeliveryResponse response) {
    SuccessRule success = rules.success();
    if (fits(success.statuses(), success.body(), response)) {
      return new Verdict(Outcome.completed(), success.word(), rules.kept(response, json));
    }
    BodyTest expected = success.statuses().contains(response.status()) ? success.body() : null;
    // The next response may be whole, and no class is to take a broken connection for an answer.
    if (expected != null && expected.lacksEnd(response)) {
      return mismatch(success, response, "broke off, or is too long to test");
    }
    int number = 0;
    for (ResponseClass one : rules.classes()) {
      number++;
      if (fits(one.statuses(), one.body(), response)) {
        String rule = "class " + number + ", " + one.reason() + ": " + one.effect().word();
        return new Verdict(classed(one, response), rule);
      }
    }
    return byDefault(success, expected != null, response);
  }

  private boolean fits(StatusSet statuses, @Nullable BodyTest body, DeliveryResponse response) {
    return statuses.contains(response.status()) && (body == null || body.holds(response, json));
  }

  private static Outcome classed(ResponseClass one, DeliveryResponse response) {
    Failure failure =
        new Failure(one.reason(), answered(response) + ", which its classes call " + one.reason());
    return switch (one.effect()) {
      case PERMANENT -> new Outcome.Fatal(failure);
      case DISABLE -> new Outcome.Fatal(failure, true);
      case THROTTLED ->
          new Outcome.Throttled(
              failure, Objects.requireNonNullElse(response.retryAfter(), Duration.ZERO));
      case RETRYABLE -> new Outcome.Failed(failure);
      case NOT_READY -> new Outcome.NotReady(response.retryAfter(), true);
    };
  }

  private static Verdict byDefault(
      SuccessRule success, boolean isExpected, DeliveryResponse response) {
    int status = response.status();
    Failure failure = new Failure(STATUS + status, answered(response));
    if (response.asksToStop()) {
      Failure asked = new Failure(ABORTED, answered(response) + " and asked for no more attempts");
      return new Verdict(new Outcome.Fatal(asked), "default: the header webhook-delivery");
    }
    if (status == GONE || status == NOT_IMPLEMENTED) {
      return new Verdict(
          new Outcome.Fatal(failure, status == GONE), "default: " + status + " ends all attempts");
    }
    Duration wait = response.retryAfter();
    if (status >= 400 && wait != null) {
      return new Verdict(new Outcome.Throttled(failure, wait), "default: the header Retry-After");
    }
    if (status == TOO_MANY_REQUESTS) {
      return new Verdict(
          new Outcome.Throttled(failure, Duration.ZERO), "default: 429 slows the queue down");
    }
    if (!isExpected) {
      return new Verdict(
          new Outcome.Failed(failure), "default: " + status + " is not in the " + success.word());
    }
    return mismatch(
        success,
        response,
        response.body() == null ? "is not text" : "is not what success asks for");
  }

  private static Verdict mismatch(SuccessRule success, DeliveryResponse response, String why) {
    return new Verdict(
        Outcome.failed(BODY_MISMATCH, answered(response) + ", but its body " + why),
        success.word() + ": the status fits, but the body " + why);
  }

  private static String answered(DeliveryResponse response) {
    return "the destination answered " + response.status();
  }
}
