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

  /** Of an attempt of such a job; {@code null} for the handler's. */
  @Nullable Duration timeout(String kind, String payload) {
    Destination address = DestinationJson.stored(destination);
    return address != null && address.timeout() != null && DeliveryJson.isToQueue(kind, payload)
        ? address.timeout()
        : null;
  }
}
