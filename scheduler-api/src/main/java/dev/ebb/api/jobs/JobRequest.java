package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.core.Priority;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;

/** A job as a body describes it. Its rules are those of {@link NewJob}. */
final class JobRequest {
  private static final String[] FIELDS = {
    "kind",
    "queue",
    "payload",
    "runAt",
    "delay",
    "priority",
    "maxAttempts",
    "policy",
    "uniqueKey",
    "timeout",
    "labels"
  };

  private JobRequest() {}

  static NewJob read(JsonObject body) {
    body.allow(FIELDS);
    NewJob job = body.build(() -> job(body));
    if (job.kind().equals(DeliveryJson.KIND)) {
      checkDelivery(body, job);
    }
    return job;
  }

  /** Refuses at the submit a delivery that could only become a dead letter. */
  private static void checkDelivery(JsonObject body, NewJob job) {
    JsonObject.of(body.required("payload")).allow(DeliveryJson.FIELDS.toArray(String[]::new));
    body.build(() -> DeliveryJson.read(job.payload()));
  }

  private static NewJob job(JsonObject body) {
    String queue = body.optional("queue", JsonValue::string);
    Integer priority = body.optional("priority", JsonValue::integer);
    return NewJob.builder(body.required("kind").string(), body.required("payload").text())
        .queue(queue == null ? NewJob.DEFAULT_QUEUE : queue)
        .runAt(body.optional("runAt", JsonValue::instant))
        .delay(body.optional("delay", JsonValue::duration))
        .priority(priority == null ? Priority.DEFAULT : priority)
        .maxAttempts(body.optional("maxAttempts", JsonValue::integer))
        .policy(body.policy())
        .uniqueKey(body.optional("uniqueKey", JsonValue::string))
        .timeout(body.optional("timeout", JsonValue::duration))
        .labels(body.strings("labels"))
        .build();
  }
}
