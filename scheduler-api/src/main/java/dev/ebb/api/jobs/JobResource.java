package dev.ebb.api.jobs;

import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.contract.Hold;
import dev.ebb.contract.Job;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Priority;
import dev.ebb.core.http.DeliveryRequest;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.view.JobView;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads jobs from bodies, and shows them. */
public final class JobResource {
  private JobResource() {}

  /** The job that a body describes. Its rules are those of {@link NewJob}. */
  public static NewJob read(JsonObject body, PolicyNames policies) {
    body.allow(JobFields.OF_SUBMIT);
    NewJob job = body.build(() -> job(body, policies));
    checkDelivery(body, job);
    return job;
  }

  /** Refuses at the submit a delivery that could only become a dead letter. */
  static void checkDelivery(JsonObject body, NewJob job) {
    if (job.kind().equals(DeliveryJson.KIND)) {
      JsonObject.of(body.value("payload")).allow(DeliveryJson.FIELDS.toArray(String[]::new));
      DeliveryRequest delivery = body.build(() -> DeliveryJson.read(job.payload()));
      if (delivery.url() != null && body.has("destination")) {
        throw body.refused(new InvalidInput("payload.url", "must be absent with a destination"));
      }
    } else if (body.has("destination")) {
      throw body.refused(
          new InvalidInput("destination", "must be absent: only jobs of kind http have one"));
    }
  }

  /** What the object says of a job, of which a delivery is still to be checked. */
  static NewJob job(JsonObject body, PolicyNames policies) {
    Integer priority = body.optional("priority", JsonValue::integer);
    return NewJob.builder(body.required("kind").string(), body.value("payload").text())
        .queue(queue(body))
        .runAt(body.optional("runAt", JsonValue::instant))
        .delay(body.optional("delay", JsonValue::duration))
        .priority(priority == null ? Priority.DEFAULT : priority)
        .maxAttempts(body.optional("maxAttempts", JsonValue::integer))
        .policy(body.policy(policies))
        .uniqueKey(body.optional("uniqueKey", JsonValue::string))
        .orderingKey(body.optional("orderingKey", JsonValue::string))
        .timeout(body.optional("timeout", JsonValue::duration))
        .labels(body.strings("labels"))
        .then(body.optional("then", then -> then(JsonObject.of(then), policies)))
        .build();
  }

  private static FollowUps then(JsonObject then, PolicyNames policies) {
    return FollowUpResource.read(
        then,
        body -> {
          NewJob job = body.build(() -> job(body, policies));
          checkDelivery(body, job);
          return job;
        });
  }

  /** A destination is a queue. */
  private static String queue(JsonObject body) {
    String queue = body.optional("queue", JsonValue::string);
    String destination = body.optional("destination", JsonValue::string);
    if (destination == null) {
      return queue == null ? NewJob.DEFAULT_QUEUE : queue;
    }
    if (queue != null && !queue.equals(destination)) {
      throw body.refused(
          new InvalidInput("queue", "must be absent with a destination, or the same"));
    }
    return destination;
  }

  /**
   * The job as it is shown.
   *
   * @param reader to whom
   */
  public static Job of(JobView job, Instant now, PayloadReader reader) {
    return of(job, now, payload(job, reader), null, null);
  }

  static Job duplicate(JobView job, Instant now, PayloadReader reader) {
    return of(job, now, payload(job, reader), null, true);
  }

  /** The job without its payload, which anybody may see who may see the job. */
  static Job basic(JobView job, Instant now) {
    return of(job, now, null, null, null);
  }

  /** The job with what an attempt kept as its result; {@code null} for nothing. */
  static Job of(
      JobView job, Instant now, PayloadReader reader, @Nullable Map<String, String> result) {
    return of(job, now, payload(job, reader), result, null);
  }

  private static Job of(
      JobView job,
      Instant now,
      @Nullable String payload,
      @Nullable Map<String, String> result,
      @Nullable Boolean deduplicated) {
    return new Job(
        job.id().toString(),
        job.kind(),
        job.queue(),
        job.priority(),
        job.state().word(),
        phase(job, now),
        job.attempt(),
        job.maxAttempts(),
        Answer.shown(job.times().runAt()),
        Answer.shown(job.times().createdAt()),
        Answer.shownOrNull(job.times().startedAt()),
        Answer.shownOrNull(job.times().endedAt()),
        job.node(),
        failure(job.lastError()),
        job.deadReason(),
        job.cancelRequested(),
        Answer.embeddable(payload),
        job.policy() == null ? null : PolicyJson.shown(job.policy()),
        job.uniqueKey(),
        job.orderingKey(),
        job.skipped() ? true : null,
        job.timeout(),
        job.labels(),
        job.destination(),
        job.subject(),
        Answer.embeddable(job.progress()),
        result,
        hold(job.hold()),
        FollowUpResource.of(job.then()),
        FollowUpResource.first(job.then()),
        deduplicated);
  }

  private static @Nullable String payload(JobView job, PayloadReader reader) {
    String payload = job.payload();
    if (payload == null) {
      return null;
    }
    return reader.payload(
        job.kind().equals(DeliveryJson.KIND) ? DeliveryPayload.shown(payload) : payload);
  }

  /** As people say it: the state, or what keeps an available job. */
  public static String phase(JobView job, Instant now) {
    if (job.blocked()) {
      return "blocked";
    }
    if (job.hold() != null) {
      return "held";
    }
    if (job.state() == JobState.AVAILABLE && job.times().runAt().isAfter(now)) {
      return job.attempt() == 0 ? "scheduled" : "retrying";
    }
    return job.state().word();
  }

  private static @Nullable Hold hold(JobView.@Nullable Hold hold) {
    return hold == null ? null : new Hold(Answer.shownOrNull(hold.until()), hold.reason());
  }

  public static dev.ebb.contract.@Nullable Failure failure(@Nullable Failure failure) {
    return failure == null
        ? null
        : new dev.ebb.contract.Failure(failure.reason(), failure.message());
  }
}
