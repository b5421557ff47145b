package dev.ebb.api.leases;

import dev.ebb.api.http.Ids;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.poll.Ending;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads how an attempt ended. */
final class EndingBody {
  private static final int MOST_RESULTS = 20;
  private static final int LONGEST_RESULT = 1_000;

  private EndingBody() {}

  static Ending read(JsonObject body) {
    body.allow(
        "lease", "id", "outcome", "reason", "message", "retryAfter", "delay", "tookMs", "result");
    return body.build(() -> ending(body));
  }

  private static Ending ending(JsonObject body) {
    Outcome outcome = outcome(body);
    Integer took = body.optional("tookMs", JsonValue::integer);
    InvalidInput.require(took == null || took >= 0, "tookMs", "must not be negative");
    return new Ending(
        lease(body.required("lease").string(), "lease"),
        Ids.read(body.required("id").string())
            .orElseThrow(() -> new InvalidInput("id", "must be a UUID")),
        outcome,
        took == null ? null : Duration.ofMillis(took),
        result(body, outcome));
  }

  /** The id of a lease, which is a string because it has too many digits for some languages. */
  static long lease(String text, String field) {
    InvalidInput.require(
        text.matches("[1-9][0-9]{0,17}|[1-8][0-9]{18}"), field, "must be the id of a lease");
    return Long.parseLong(text);
  }

  private static Outcome outcome(JsonObject body) {
    String word = body.required("outcome").string();
    InvalidInput.require(
        word.equals("throttled") || !body.has("retryAfter"),
        "retryAfter",
        "must be absent unless the outcome is throttled");
    InvalidInput.require(
        word.equals("not_ready") || !body.has("delay"),
        "delay",
        "must be absent unless the outcome is not_ready");
    return switch (word) {
      case "completed" -> Outcome.completed();
      case "failed" -> new Outcome.Failed(failure(body));
      case "fatal" -> new Outcome.Fatal(failure(body));
      case "throttled" -> {
        Duration after = body.optional("retryAfter", JsonValue::duration);
        yield new Outcome.Throttled(failure(body), after == null ? Duration.ZERO : after);
      }
      case "not_ready" ->
          new Outcome.NotReady(body.<Duration>optional("delay", JsonValue::duration));
      case "cancelled" -> new Outcome.Cancelled();
      case "given_back" -> new Outcome.GivenBack();
      default ->
          throw new InvalidInput(
              "outcome",
              "must be one of completed, failed, fatal, throttled, not_ready, cancelled,"
                  + " given_back");
    };
  }

  private static Failure failure(JsonObject body) {
    String reason = body.required("reason").string();
    InvalidInput.require(
        !reason.isBlank() && reason.length() <= Failure.MAX_REASON,
        "reason",
        "must be 1 to " + Failure.MAX_REASON + " characters");
    String message = body.optional("message", JsonValue::string);
    return new Failure(reason, message == null ? "" : message);
  }

  private static @Nullable String result(JsonObject body, Outcome outcome) {
    Map<String, String> result = body.strings("result");
    if (result.isEmpty()) {
      return null;
    }
    InvalidInput.require(
        outcome instanceof Outcome.Completed, "result", "must be absent unless it completed");
    InvalidInput.require(
        result.size() <= MOST_RESULTS, "result", "must have at most " + MOST_RESULTS + " names");
    result.forEach((name, value) -> {
      NewJob.requireLabel(name, "result");
      InvalidInput.require(
          value.length() <= LONGEST_RESULT,
          "result." + name,
          "must be at most " + LONGEST_RESULT + " characters");
    });
    return JsonMapper.shared().writeValueAsString(Map.of("result", result));
  }
}
