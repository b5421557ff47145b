package dev.ebb.db.claim;

import dev.ebb.core.job.Job;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A job together with the right to run and settle it.
 *
 * @param fencingToken the lease's id: it grows with the time of the claim by the database's clock,
 *     and is live while the lease row is there
 * @param version of the job's row at the claim; once the row is written, the token no longer fits
 *     it
 * @param payloadBytes of UTF-8
 * @param subject what people know it by; {@code null} for none, and where its lease expired
 * @param pass {@code null} where no circuit asks how its attempt ends, and where its lease expired
 * @param ordered whether it has an ordering key, so that another may start once it has ended
 * @param followed whether something may follow it when it completes
 * @param traceparent the trace that it was submitted in, or that of its attempt once this has
 *     {@linkplain #within run}; {@code null} for none, and where its lease expired
 */
public record ClaimedJob(
    Job job,
    long fencingToken,
    int version,
    int payloadBytes,
    @Nullable String subject,
    @Nullable CircuitPass pass,
    boolean ordered,
    boolean followed,
    @Nullable String traceparent) {
  private static final int TOKENS_PER_MICRO = 1_000;

  /** When it was claimed, by the database's clock: the token begins with it. */
  public Instant claimedAt() {
    return Instant.EPOCH.plus(fencingToken / TOKENS_PER_MICRO, ChronoUnit.MICROS);
  }

  /** The same without its payload: what waits to be settled need not hold it. */
  public ClaimedJob withoutPayload() {
    return new ClaimedJob(
        job.withoutPayload(),
        fencingToken,
        version,
        payloadBytes,
        subject,
        pass,
        ordered,
        followed,
        traceparent);
  }

  /** The same after an attempt with this trace. */
  public ClaimedJob within(@Nullable String traceparent) {
    return new ClaimedJob(
        job, fencingToken, version, payloadBytes, subject, pass, ordered, followed, traceparent);
  }
}
