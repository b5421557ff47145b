package dev.ebb.db.claim;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.http.Destination;
import dev.ebb.core.job.Job;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.DestinationJson;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a queue gives each of its jobs that does not say otherwise.
 *
 * @param destination its address as JSON; {@code null} if it has none
 * @param circuit that of its destination; {@code null} if it has none
 */
record QueueDefaults(RetryPolicy policy, @Nullable String destination, @Nullable Circuit circuit) {
  /** The job with the deadline that its destination's circuit leaves it, if it is claimed now. */
  Job inTime(Job job, Instant runAt, Instant now) {
    Duration deadline = job.policy().deadline();
    return circuit == null || deadline == null
        ? job
        : job.withBudgetFrom(circuit.deadlineFrom(job.budgetFrom(), deadline, runAt, now));
  }

  /** Whether the job goes to the destination. */
  boolean delivers(Job job) {
    return destination != null && DeliveryJson.isToQueue(job.kind(), job.payload());
  }

  /** The job, which goes to the destination, with that one's timeout unless it has its own. */
  Job timed(Job job) {
    Destination address = DestinationJson.stored(destination);
    return job.timeout() != null || address == null || address.timeout() == null
        ? job
        : job.withTimeout(address.timeout());
  }
}
