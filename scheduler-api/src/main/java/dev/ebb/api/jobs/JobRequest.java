package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
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
    body.requireObject("payload").allow(DeliveryJson.FIELDS.toArray(String[]::new));
    body.build(() -> DeliveryJson.read(job.payload()));
  }

  private static NewJob job(JsonObject body) {
    String queue = body.string("queue");
    Integer priority = body.integer("priority");
    return NewJob.builder(body.requireString("kind"), body.json("payload"))
        .queue(queue == null ? NewJob.DEFAULT_QUEUE : queue)
        .runAt(body.instant("runAt"))
        .delay(body.duration("delay"))
        .priority(priority == null ? Priority.DEFAULT : priority)
        .maxAttempts(body.integer("maxAttempts"))
        .policy(body.policy())
        .uniqueKey(body.string("uniqueKey"))
        .timeout(body.duration("timeout"))
        .labels(body.strings("labels"))
        .build();
  }
}
