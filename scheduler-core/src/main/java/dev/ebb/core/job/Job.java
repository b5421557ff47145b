package dev.ebb.core.job;

import dev.ebb.core.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job, as its handler sees it.
 *
 * @param payload JSON text, to the byte as it was submitted
 * @param attempt the number of this attempt, from 1
 * @param maxAttempts the budget; {@code attempt <= maxAttempts}
 * @param snoozes how often a handler said "not ready" so far
 * @param budgetFrom the policy's deadline counts from here: when it was submitted, the later time
 *     for which somebody asked, or when it was redriven
 * @param lastDelay the backoff drawn before this attempt, without what a receiver asked for on top;
 *     zero before the first
 * @param timeout how long an attempt may take, by the job or its queue's destination; {@code null}
 *     for the handler's own default
 * @param cancelRequested whether somebody asked for it to stop
 * @param destination the address of its queue when it was claimed, as JSON text; {@code null} if it
 *     has none
 */
public record Job(
    UUID id,
    String kind,
    String queue,
    int priority,
    String payload,
    int attempt,
    int maxAttempts,
    int snoozes,
    Instant budgetFrom,
    Duration lastDelay,
    RetryPolicy policy,
    @Nullable Duration timeout,
    boolean cancelRequested,
    @Nullable String destination) {

  /** The last instant at which an attempt may start; {@code null} if there is none. */
  public @Nullable Instant lastStart() {
    return policy.lastStart(budgetFrom);
  }

  /** Whether an attempt may start then. */
  public boolean mayStart(Instant at) {
    Instant last = lastStart();
    return last == null || !at.isAfter(last);
  }

  /** The same with an empty payload. */
  public Job withoutPayload() {
    return with("", budgetFrom, timeout);
  }

  /** The same, but its policy's deadline counts from then. */
  public Job withBudgetFrom(Instant budgetFrom) {
    return with(payload, budgetFrom, timeout);
  }

  /** The same, but an attempt may take that long. */
  public Job withTimeout(Duration timeout) {
    return with(payload, budgetFrom, timeout);
  }

  private Job with(String payload, Instant budgetFrom, @Nullable Duration timeout) {
    return new Job(
        id,
        kind,
        queue,
        priority,
        payload,
        attempt,
        maxAttempts,
        snoozes,
        budgetFrom,
        lastDelay,
        policy,
        timeout,
        cancelRequested,
        destination);
  }
}
