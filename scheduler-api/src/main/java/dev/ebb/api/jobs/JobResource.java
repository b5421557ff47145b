package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.core.Priority;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.view.JobView;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job as bodies describe it, and as answers show it; what does not apply is left out.
 *
 * @param state as it is stored
 * @param phase as people say it: the state; but an available job that has a hold is held, and one
 *     whose run at lies in the future by this node's clock is scheduled or retrying
 * @param payload its JSON text, to the byte as it was submitted but for the secrets of a delivery
 * @param deduplicated present and true where a submit found this job holding its unique key
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record JobResource(
    UUID id,
    String kind,
    String queue,
    int priority,
    String state,
    String phase,
    int attempt,
    int maxAttempts,
    Instant runAt,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String node,
    @Nullable Failure lastError,
    @Nullable String deadReason,
    boolean cancelRequested,
    @JsonRawValue @Nullable String payload,
    @Nullable JsonNode policy,
    @Nullable String uniqueKey,
    @Nullable Duration timeout,
    Map<String, String> labels,
    @JsonRawValue @Nullable String progress,
    @Nullable Hold hold,
    @Nullable Boolean deduplicated) {
  /** What keeps a job from running; without an end where nobody has given one. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Hold(@Nullable Instant until, @Nullable String reason) {
    static @Nullable Hold of(JobView.@Nullable Hold hold) {
      return hold == null ? null : new Hold(Answer.shownOrNull(hold.until()), hold.reason());
    }
  }

  /** The job that a body describes. Its rules are those of {@link NewJob}. */
  static NewJob read(JsonObject body, PolicyNames policies) {
    body.allow(JobFields.OF_SUBMIT);
    NewJob job = body.build(() -> job(body, policies));
    checkDelivery(body, job);
    return job;
  }

  /** Refuses at the submit a delivery that could only become a dead letter. */
  static void checkDelivery(JsonObject body, NewJob job) {
    if (job.kind().equals(DeliveryJson.KIND)) {
      JsonObject.of(body.value("payload")).allow(DeliveryJson.FIELDS.toArray(String[]::new));
      body.build(() -> DeliveryJson.read(job.payload()));
    }
  }

  /** What the object says of a job, of which a delivery is still to be checked. */
  static NewJob job(JsonObject body, PolicyNames policies) {
    String queue = body.optional("queue", JsonValue::string);
    Integer priority = body.optional("priority", JsonValue::integer);
    return NewJob.builder(body.required("kind").string(), body.value("payload").text())
        .queue(queue == null ? NewJob.DEFAULT_QUEUE : queue)
        .runAt(body.optional("runAt", JsonValue::instant))
        .delay(body.optional("delay", JsonValue::duration))
        .priority(priority == null ? Priority.DEFAULT : priority)
        .maxAttempts(body.optional("maxAttempts", JsonValue::integer))
        .policy(body.policy(policies))
        .uniqueKey(body.optional("uniqueKey", JsonValue::string))
        .timeout(body.optional("timeout", JsonValue::duration))
        .labels(body.strings("labels"))
        .build();
  }

  @JsonIgnore
  boolean isAvailable() {
    return state.equals(JobState.AVAILABLE.word());
  }

  @JsonIgnore
  boolean hasEnded() {
    return endedAt != null;
  }

  /**
   * The job as it is shown.
   *
   * @param reader to whom
   */
  static JobResource of(JobView job, Instant now, PayloadReader reader) {
    return of(job, now, payload(job, reader), null);
  }

  static JobResource duplicate(JobView job, Instant now, PayloadReader reader) {
    return of(job, now, payload(job, reader), true);
  }

  /** The job without its payload, which anybody may see who may see the job. */
  static JobResource basic(JobView job, Instant now) {
    return of(job, now, null, null);
  }

  private static JobResource of(
      JobView job, Instant now, @Nullable String payload, @Nullable Boolean deduplicated) {
    return new JobResource(
        job.id(),
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
        job.lastError(),
        job.deadReason(),
        job.cancelRequested(),
        Answer.embeddable(payload),
        job.policy() == null ? null : PolicyJson.write(job.policy()),
        job.uniqueKey(),
        job.timeout(),
        job.labels(),
        Answer.embeddable(job.progress()),
        Hold.of(job.hold()),
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

  private static String phase(JobView job, Instant now) {
    if (job.hold() != null) {
      return "held";
    }
    if (job.state() == JobState.AVAILABLE && job.times().runAt().isAfter(now)) {
      return job.attempt() == 0 ? "scheduled" : "retrying";
    }
    return job.state().word();
  }
}
