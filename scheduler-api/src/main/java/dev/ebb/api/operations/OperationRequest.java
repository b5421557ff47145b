package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.jobs.JobFilters;
import dev.ebb.api.problem.Pointers;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.NearMiss;
import dev.ebb.core.access.Scope;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operation as a body asks for it.
 *
 * @param expectedCount how many jobs the sender thinks that it covers; {@code null} if unsaid
 */
record OperationRequest(OperationPlan plan, @Nullable Integer expectedCount) {
  private static final int MOST_STAGES = 10;
  private static final String WARM_UP = "warmUp";
  private static final String RESET_ATTEMPTS = "resetAttempts";
  private static final String[] PARAMS = {"runAt", "until", WARM_UP, RESET_ATTEMPTS, "priority"};

  /** What the body asks; checked as far as that is possible without the database. */
  static OperationRequest read(JsonObject body, Caller caller, Instant now) {
    body.allow(
        "action",
        "filter",
        "ids",
        "allowAll",
        "params",
        "rate",
        "stages",
        "stopOnFailureRatio",
        "pauseAfterStages",
        "maxJobs",
        "expectedCount",
        "reason");
    OperationPlan plan = body.build(() -> plan(body, now));
    requireMeant(body, plan, caller);
    return new OperationRequest(plan, expected(body));
  }

  /**
   * What the body says of how the action goes over these jobs.
   *
   * @param usualStages for a body that names none
   */
  static OperationRequest of(
      JsonObject body, JobAction action, JobFilter filter, List<Integer> usualStages) {
    List<Integer> named = stages(body);
    List<Integer> stages = named.isEmpty() ? usualStages : named;
    OperationPlan plan = body.build(() -> plan(body, action, filter, List.of(), stages));
    return new OperationRequest(plan, expected(body));
  }

  private static @Nullable Integer expected(JsonObject body) {
    Integer expected = body.optional("expectedCount", JsonValue::integer);
    if (expected != null && expected < 0) {
      throw Refusal.field("/expectedCount", "must not be negative");
    }
    return expected;
  }

  private static List<Integer> stages(JsonObject body) {
    return body.list("stages", MOST_STAGES + 1).stream().map(JsonValue::integer).toList();
  }

  private static OperationPlan plan(JsonObject body, Instant now) {
    JobAction action = action(body.required("action").string(), body.object("params"), now);
    JobFilter filter = body.optional("filter", JobFilters::read);
    List<UUID> ids = ids(body);
    if ((filter == null) == ids.isEmpty()) {
      throw Refusal.field("/filter", "must be given, or ids, and not both");
    }
    return plan(body, action, filter, ids, stages(body));
  }

  private static OperationPlan plan(
      JsonObject body,
      JobAction action,
      @Nullable JobFilter filter,
      List<UUID> ids,
      List<Integer> stages) {
    Integer pauses = body.optional("pauseAfterStages", JsonValue::integer);
    return new OperationPlan(
        action,
        filter,
        ids,
        body.optional("rate", value -> Pace.parse(value.string())),
        stages,
        body.optional("stopOnFailureRatio", JsonValue::number),
        body.optional("maxJobs", JsonValue::integer),
        pauses == null ? 0 : pauses);
  }

  /** The action with its parameters, of which it knows its own alone. */
  private static JobAction action(String word, JsonObject given, Instant now) {
    if (!JobAction.OPERATIONS.contains(word)) {
      throw unknown(word);
    }
    given.allow(PARAMS);
    // What a redrive does by itself says nothing of another action.
    JsonObject params = given.flag(WARM_UP, true) ? given.without(WARM_UP) : given;
    return switch (word) {
      case "retry" -> {
        params.allowGiven(RESET_ATTEMPTS);
        yield new JobAction.Retry(params.flag(RESET_ATTEMPTS, false));
      }
      case "redrive" -> {
        params.allowGiven(WARM_UP, RESET_ATTEMPTS);
        yield new JobAction.Redrive(params.flag(WARM_UP, true), params.flag(RESET_ATTEMPTS, true));
      }
      case "reschedule" -> {
        params.allowGiven("runAt");
        yield new JobAction.Reschedule(params.required("runAt").instant());
      }
      case "hold" -> {
        params.allowGiven("until");
        yield new JobAction.Hold(until(params, now));
      }
      case "set_priority" -> {
        params.allowGiven("priority");
        int priority = params.required("priority").integer();
        yield params.build(() -> new JobAction.SetPriority(priority));
      }
      default -> {
        params.allowGiven();
        yield alone(word);
      }
    };
  }

  /** Of those that have no parameters. */
  private static JobAction alone(String word) {
    return switch (word) {
      case "cancel" -> new JobAction.Cancel();
      case "discard" -> new JobAction.Discard();
      case "release" -> new JobAction.Release();
      case "skip" -> new JobAction.Skip();
      default -> throw unknown(word);
    };
  }

  private static Refusal unknown(String word) {
    List<String> words = JobAction.OPERATIONS;
    return Refusal.field(
        "/action",
        "must be one of "
            + String.join(", ", words)
            + NearMiss.of(word, words).map(near -> "; did you mean " + near + "?").orElse(""));
  }

  private static @Nullable Instant until(JsonObject params, Instant now) {
    Instant until = params.optional("until", JsonValue::instant);
    if (until != null && !until.isAfter(now)) {
      throw Refusal.field("/params/until", "must lie in the future");
    }
    return until;
  }

  private static List<UUID> ids(JsonObject body) {
    List<JsonValue> values = body.list("ids", OperationPlan.MOST_IDS + 1);
    if (values.size() > OperationPlan.MOST_IDS) {
      throw Refusal.field("/ids", "must be at most " + OperationPlan.MOST_IDS);
    }
    return values.stream().map(OperationRequest::id).toList();
  }

  private static UUID id(JsonValue value) {
    return Ids.read(value.string())
        .orElseThrow(() -> Refusal.field(value.pointer(), "must be a UUID"));
  }

  private static void requireMeant(JsonObject body, OperationPlan plan, Caller caller) {
    JobFilter filter = plan.filter();
    boolean allowAll = body.flag("allowAll", false);
    if (filter == null) {
      return;
    }
    if (filter.payload() != null) {
      caller.require(Scope.PAYLOAD_READ);
    }
    JobFilter every = JobFilter.ALL.in(plan.action().phases().toArray(Phase[]::new));
    if (filter.equals(every) && !allowAll) {
      throw Refusal.field(
          Pointers.child("", "allowAll"),
          "must be true, because the filter covers every job that "
              + plan.action().word()
              + " is for");
    }
  }

  /** Refuses a number that is not about as expected: a tenth off, or half where it is a guess. */
  boolean isAsExpected(long matched, boolean exact) {
    long expected =
        Objects.requireNonNullElse(expectedCount, (int) Math.min(matched, Integer.MAX_VALUE));
    return Math.abs(matched - expected) <= expected * (exact ? 0.1 : 0.5);
  }
}
