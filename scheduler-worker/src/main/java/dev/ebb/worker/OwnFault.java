package dev.ebb.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether it is this node's network or resolver that fails, and not its destinations: many of them
 * do not answer, and hardly any does.
 *
 * <p>It is said once in the log when that begins, and once when it ends.
 */
final class OwnFault {
  private static final Logger LOG = LoggerFactory.getLogger(OwnFault.class);

  /** Fewer may well fail by chance. */
  private static final int LEAST = 5;

  /** Of those that were called lately. */
  private static final double SHARE = 0.8;

  private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long JUDGED_EVERY_NANOS = Duration.ofMillis(100).toNanos();

  private final LongSupplier nanoTime;
  private final Map<String, Seen> lately = new ConcurrentHashMap<>();
  private volatile boolean likely;
  private long judgedNanos;

  OwnFault(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.judgedNanos = nanoTime.getAsLong() - JUDGED_EVERY_NANOS;
  }

  private record Seen(boolean unreached, long nanos) {}

  /** A destination was called; {@code unreached} if no response came. */
  void ended(String destination, boolean unreached) {
    long now = nanoTime.getAsLong();
    Seen last = lately.put(destination, new Seen(unreached, now));
    if (last == null || last.unreached != unreached || unreached || likely) {
      judge(now);
    }
  }

  boolean isLikely() {
    return likely;
  }

  private synchronized void judge(long now) {
    if (now - judgedNanos < JUDGED_EVERY_NANOS && lately.size() > 2 * LEAST) {
      return;
    }
    judgedNanos = now;
    lately.values().removeIf(seen -> now - seen.nanos > LATELY_NANOS);
    long unreached = lately.values().stream().filter(Seen::unreached).count();
    boolean was = likely;
    likely = unreached >= LEAST && unreached >= SHARE * lately.size();
    if (likely && !was) {
      LOG.warn(
          "{} of the {} destinations of the last minute do not answer this node: its network or"
              + " resolver is suspected, and no circuit opens for that",
          unreached,
          lately.size());
    } else if (was && !likely) {
      LOG.info("destinations answer this node again");
    }
  }
}
