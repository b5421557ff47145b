package dev.ebb.db.view;

import dev.ebb.core.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * How far a live job has come with its retries.
 *
 * @param running whether its next attempt has begun
 * @param attempts how many it has spent, without one that is running
 * @param budgetFrom its policy's deadline counts from here
 * @param lastDelay the backoff drawn before its next attempt, zero before the first
 * @param policy its own, its queue's or the default
 * @param now the database's clock
 */
public record JobStanding(
    boolean running,
    int attempts,
    int maxAttempts,
    int priority,
    Instant runAt,
    Instant budgetFrom,
    Duration lastDelay,
    RetryPolicy policy,
    Instant now) {}
