package dev.ebb.db.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a queue stands in the whole cluster; {@code null} is unknown.
 *
 * @param jobs that have not ended
 * @param deadLetters that are kept
 * @param running jobs that are claimed
 * @param due jobs that wait to be claimed, of up to {@value QueueFigureReads#MOST_DUE} that are due
 * @param oldestDue for how long the first of them has been due; zero if none is
 * @param blockedKeys ordering keys that wait, of up to {@value QueueFigureReads#MOST_KEYS}
 * @param paused whether it is paused
 * @param circuitOpen whether its destination is away, or asked for a pause
 * @param rate jobs a second that its limiter lets through now under full demand; {@code null} for
 *     no limiter
 * @param rateLimit the same once it is warm, and no receiver throttles
 */
public record QueueFigures(
    String queue,
    @Nullable Long jobs,
    @Nullable Long deadLetters,
    long running,
    @Nullable Long due,
    @Nullable Duration oldestDue,
    @Nullable Long blockedKeys,
    @Nullable Boolean paused,
    @Nullable Boolean circuitOpen,
    @Nullable Double rate,
    @Nullable Double rateLimit) {

  QueueFigures withRate(double rate, double rateLimit) {
    return new QueueFigures(
        queue,
        jobs,
        deadLetters,
        running,
        due,
        oldestDue,
        blockedKeys,
        paused,
        circuitOpen,
        rate,
        rateLimit);
  }
}
