package dev.ebb.db.settle;

import dev.ebb.core.job.Job;
import dev.ebb.db.json.DeliveryJson;
import org.jspecify.annotations.Nullable;

/** By which queue the attempts of deliveries are found: a row for each, written with it. */
final class Delivered {
  /** Of the rows {@code kept} of the history. */
  static final String OF_KEPT =
      """
      insert into ebb.delivered (ended_at, job_id, queue)
      select ended_at, id, queue
      from kept
      where kind = '%s'\
      """
          .formatted(DeliveryJson.KIND);

  private Delivered() {}

  /** The queue of a delivery; {@code null} for an attempt of another kind. */
  static @Nullable String queue(FinishedAttempt settled) {
    Job job = settled.claimed().job();
    return job.kind().equals(DeliveryJson.KIND) ? job.queue() : null;
  }
}
