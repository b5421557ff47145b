package dev.ebb.db.queue;

import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.core.http.Destination;
import dev.ebb.core.job.LabelPointers;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue's settings.
 *
 * @param policy for jobs without one of their own; {@code null} for the preset {@code default}
 * @param policyName the stored policy that it follows; {@code null} if that is its own
 * @param rateLimit how fast its jobs may start in the whole cluster; {@code null} for no limit
 * @param maxConcurrency how many of them may run at a time in the whole cluster, 1 to 100,000;
 *     {@code null} for no limit
 * @param maxDepth how many jobs that have not ended it may have before submits over REST are
 *     refused, 1 to 10,000,000; {@code null} for no limit
 * @param weight its share of a node's slots while other queues have work too, in relation to their
 *     weights: 1 to 100; {@code null} for {@value #DEFAULT_WEIGHT}
 * @param labelsFrom what its jobs take from their payloads as labels when they are submitted: JSON
 *     Pointers (RFC 6901) by the labels' names, at most {@value NewJob#MAX_LABELS}
 * @param ordering what bounds its ordering keys; {@code null} for nothing
 * @param destination where those of its deliveries go that have no URL; {@code null} for none, and
 *     where settings are written, for the one that it has
 */
public record QueueSettings(
    boolean paused,
    @Nullable RetryPolicy policy,
    @Nullable String policyName,
    @Nullable RateLimit rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Integer maxDepth,
    @Nullable Integer weight,
    Map<String, String> labelsFrom,
    @Nullable Ordering ordering,
    @Nullable Destination destination) {
  private static final int MAX_CONCURRENCY = 100_000;
  private static final int MAX_DEPTH = 10_000_000;
  private static final int MAX_WEIGHT = 100;

  /** That of a queue without one. */
  public static final int DEFAULT_WEIGHT = 1;

  public QueueSettings {
    requireUpTo(MAX_CONCURRENCY, maxConcurrency, "maxConcurrency");
    requireUpTo(MAX_DEPTH, maxDepth, "maxDepth");
    requireUpTo(MAX_WEIGHT, weight, "weight");
    labelsFrom = LabelPointers.checked(labelsFrom);
  }

  private static void requireUpTo(int most, @Nullable Integer number, String field) {
    if (number != null) {
      requireBetween(number, 1, most, field);
    }
  }

  /** Settings with a policy of their own, for any number of jobs. */
  public QueueSettings(
      boolean paused,
      @Nullable RetryPolicy policy,
      @Nullable RateLimit rateLimit,
      @Nullable Integer maxConcurrency) {
    this(paused, policy, null, rateLimit, maxConcurrency, null, null, Map.of(), null, null);
  }

  /** Settings without limits. */
  public static QueueSettings of(boolean paused, @Nullable RetryPolicy policy) {
    return new QueueSettings(paused, policy, null, null);
  }

  /** Settings of a queue that is no destination, and whose ordering keys nothing bounds. */
  public QueueSettings(
      boolean paused,
      @Nullable RetryPolicy policy,
      @Nullable String policyName,
      @Nullable RateLimit rateLimit,
      @Nullable Integer maxConcurrency,
      @Nullable Integer maxDepth,
      @Nullable Integer weight,
      Map<String, String> labelsFrom) {
    this(
        paused,
        policy,
        policyName,
        rateLimit,
        maxConcurrency,
        maxDepth,
        weight,
        labelsFrom,
        null,
        null);
  }

  /** The same with this policy, whether it is followed or not. */
  QueueSettings withPolicy(RetryPolicy policy) {
    return with(paused, policy, ordering, destination);
  }

  /** The same with this address. */
  public QueueSettings to(@Nullable Destination destination) {
    return with(paused, policy, ordering, destination);
  }

  /** The same with this bound of its ordering keys. */
  public QueueSettings with(@Nullable Ordering ordering) {
    return with(paused, policy, ordering, destination);
  }

  QueueSettings withPaused(boolean paused) {
    return with(paused, policy, ordering, destination);
  }

  private QueueSettings with(
      boolean paused,
      @Nullable RetryPolicy policy,
      @Nullable Ordering ordering,
      @Nullable Destination destination) {
    return new QueueSettings(
        paused,
        policy,
        policyName,
        rateLimit,
        maxConcurrency,
        maxDepth,
        weight,
        labelsFrom,
        ordering,
        destination);
  }
}
