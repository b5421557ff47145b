package dev.ebb.api.leases;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Text;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.node.NodeFacts;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker polls for.
 *
 * @param worker its name and what it polls with, as the row of a node says
 * @param from whose the lease will be
 * @param most how many jobs it can start at once
 * @param lease how long a lease lasts without a renewal
 * @param patience how long it waits for a job
 */
record Poll(NodeFacts worker, ClaimRequest.Poll from, int most, Duration lease, Duration patience) {
  static final int MOST_QUEUES = 16;
  static final int MOST_KINDS = 100;
  static final int MOST_JOBS = 64;
  static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
  static final Duration LONGEST_LEASE = Duration.ofHours(1);
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration USUAL_LEASE = Duration.ofSeconds(15);
  private static final Duration USUAL_WAIT = Duration.ofSeconds(20);
  private static final int MOST_SLOTS = 10_000;

  /** Reads a body; a {@link Refusal} if it breaks a rule, or the token may not. */
  static Poll read(JsonObject body, Caller caller) {
    body.allow("worker", "requestId", "queues", "kinds", "max", "lease", "wait", "slots", "client");
    Poll poll = body.build(() -> poll(body, caller));
    for (String queue : poll.worker.queues()) {
      if (!caller.mayTakeFrom(queue)) {
        throw Refusal.of(
            ProblemCode.QUEUE_NOT_ALLOWED, "The token takes no jobs from the queue " + queue + ".");
      }
    }
    return poll;
  }

  private static Poll poll(JsonObject body, Caller caller) {
    int most = integer(body, "max", MOST_JOBS, 1);
    NodeFacts worker =
        new NodeFacts(
            worker(body),
            text(body, "client", 64, "unknown"),
            "",
            names(body, "queues", MOST_QUEUES),
            names(body, "kinds", MOST_KINDS),
            integer(body, "slots", MOST_SLOTS, most));
    worker.queues().forEach(queue -> NewJob.requireQueue(queue, "queues"));
    worker.kinds().forEach(Poll::requireKind);
    return new Poll(
        worker,
        new ClaimRequest.Poll(caller.key(), optional(body, "requestId", 100)),
        most,
        duration(body, "lease", SHORTEST_LEASE, LONGEST_LEASE, USUAL_LEASE),
        duration(body, "wait", Duration.ZERO, LONGEST_WAIT, USUAL_WAIT));
  }

  /** The name in the field {@code worker}. */
  static String worker(JsonObject body) {
    body.required("worker");
    return text(body, "worker", 100, "");
  }

  private static List<String> names(JsonObject body, String field, int most) {
    body.required(field);
    List<String> names = body.strings(field, most + 1).stream().distinct().sorted().toList();
    InvalidInput.require(!names.isEmpty() && names.size() <= most, field, "must name 1 to " + most);
    return names;
  }

  private static void requireKind(String kind) {
    InvalidInput.require(NewJob.isKind(kind), "kinds", "must be names of kinds");
    InvalidInput.require(
        !kind.equals(DeliveryJson.KIND),
        "kinds",
        "must not contain " + DeliveryJson.KIND + ": Ebb's own workers deliver");
  }

  private static String text(JsonObject body, String field, int longest, String absent) {
    String text = optional(body, field, longest);
    return text == null ? absent : text;
  }

  private static @Nullable String optional(JsonObject body, String field, int longest) {
    String text = body.optional(field, JsonValue::string);
    InvalidInput.require(
        text == null
            || (!text.isBlank()
                && text.length() <= longest
                && Text.isStorable(text)
                && text.codePoints().noneMatch(Character::isISOControl)),
        field,
        "must be 1 to " + longest + " visible characters");
    return text;
  }

  private static int integer(JsonObject body, String field, int most, int absent) {
    Integer value = body.optional(field, JsonValue::integer);
    if (value != null) {
      InvalidInput.requireBetween(value, 1, most, field);
    }
    return value == null ? absent : value;
  }

  private static Duration duration(
      JsonObject body, String field, Duration least, Duration most, Duration absent) {
    Duration value = body.optional(field, JsonValue::duration);
    if (value != null) {
      InvalidInput.requireBetween(value, least, most, field);
    }
    return value == null ? absent : value;
  }
}
