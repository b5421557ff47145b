package dev.ebb.core.limit;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How much later than its limiter says a node claims from a queue from which other nodes claim too,
 * so that all nodes together claim little more often than one would.
 *
 * <pre>
 *   node a   █ █ █ █ █ ▪     ▪           █ finds half a burst window or more: comes on time
 *   node b   ▪   ▪       █ █ █ █ █ █     ▪ finds less: backs off twice as far as the last time
 *   node c     ▪     ▪               ▪
 * </pre>
 *
 * <p>This is the truncated binary exponential backoff of Ethernet (Metcalfe and Boggs, 1976), with
 * half a burst window for a slot. Its longest grows with the number of nodes, so that all that back
 * off come about once in a burst window together: if the one that came on time is gone, another is
 * there before many permits are lost. No node stays away for more than five seconds longer.
 *
 * @param halfWindows up to how many halves of {@link WarmUpLimiter#BURST_MILLIS}, at least 0
 */
public record ContentionBackoff(int halfWindows) {
  /** Of a node that found half a window or more. */
  public static final ContentionBackoff NONE = new ContentionBackoff(0);

  private static final long HALF_WINDOW_NANOS =
      Duration.ofMillis(WarmUpLimiter.BURST_MILLIS).toNanos() / 2;

  private static final int MOST_PER_NODE = 3;
  private static final int MOST = 200;

  /**
   * That of the next claim, if this one found less than half a window.
   *
   * @param nodes how many may claim from the queue
   */
  public ContentionBackoff next(int nodes) {
    int most = Math.min(MOST_PER_NODE * (nodes - 1), MOST);
    return new ContentionBackoff(Math.min(2 * halfWindows + 1, most));
  }

  /** A random time between half of it and all of it. */
  public Duration length(RandomGenerator random) {
    return Duration.ofNanos((long) (halfWindows * HALF_WINDOW_NANOS * random.nextDouble(0.5, 1)));
  }
}
