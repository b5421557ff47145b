package dev.ebb.db.claim;

import dev.ebb.core.job.Job;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that could be claimed: {@link ClaimedJob} without a token, and since when it is due.
 *
 * @param delivers whether it goes to its queue's destination
 * @param lateMicros for how long, at the look at its queue
 * @param ordered whether it has an ordering key
 * @param followed whether something may follow it when it completes
 * @param traceparent the trace that it was submitted in; {@code null} for none
 */
record DueJob(
    Job job,
    int version,
    int payloadBytes,
    @Nullable String subject,
    boolean delivers,
    Instant runAt,
    long lateMicros,
    boolean ordered,
    boolean followed,
    @Nullable String traceparent) {

  ClaimedJob claimed(long fencingToken, @Nullable CircuitPass pass) {
    return new ClaimedJob(
        job, fencingToken, version, payloadBytes, subject, pass, ordered, followed, traceparent);
  }
}
