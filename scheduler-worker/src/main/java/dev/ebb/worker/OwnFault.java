package dev.ebb.worker;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether it is this node's network or resolver that fails, and not its destinations: many of them
 * do not answer, and hardly any does.
 *
 * <pre>
 *                  five fall silent            four fifths of those
 *                  within two seconds          called since are silent,
 *                                              two seconds later
 *    DESTINATIONS ─────────────────▶ UNCLEAR ─────────────────▶ OWN
 *       ▲   │                           │                       ▲ │
 *       │   └──────── four fifths of those of a minute ─────────┘ │
 *       └──────── more of them answer ──┴─────────────────────────┘
 * </pre>
 *
 * <p>What was answered before the first fell silent says nothing of now: a node with a thousand
 * destinations that loses its network would otherwise have blamed eight hundred of them first.
 *
 * <p>It is said once in the log when that begins, and once when it ends; heartbeats tell others.
 */
final class OwnFault {
  private static final Logger LOG = LoggerFactory.getLogger(OwnFault.class);

  /** Fewer may well fail by chance. */
  private static final int LEAST = 5;

  /** Of those that were called since. */
  private static final double SHARE = 0.8;

  private static final long TOGETHER_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long JUDGED_EVERY_NANOS = Duration.ofMillis(100).toNanos();

  /** Whose fault it is that destinations do not answer. */
  enum Verdict {
    DESTINATIONS,
    /** Too many fell silent at a time, and it is too early to know. */
    UNCLEAR,
    OWN
  }

  private final LongSupplier nanoTime;
  private final Map<String, Seen> lately = new ConcurrentHashMap<>();
  private volatile Verdict verdict = Verdict.DESTINATIONS;

  /** When the first of those fell silent that made it unclear; {@code null} while it is not. */
  private @Nullable Long silentSince;

  private long judgedNanos;

  OwnFault(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.judgedNanos = nanoTime.getAsLong() - JUDGED_EVERY_NANOS;
  }

  /** How the last call of a destination ended, and since when its calls end so. */
  private record Seen(boolean unreached, long since, long nanos) {
    static Seen of(@Nullable Seen before, boolean unreached, long now) {
      return before == null || before.unreached != unreached || now - before.nanos > LATELY_NANOS
          ? new Seen(unreached, now, now)
          : new Seen(unreached, before.since, now);
    }
  }

  /** A destination was called; {@code unreached} if no response came. */
  void ended(String destination, boolean unreached) {
    long now = nanoTime.getAsLong();
    lately.compute(destination, (_, before) -> Seen.of(before, unreached, now));
    if (unreached || verdict != Verdict.DESTINATIONS) {
      judge(now, lately.size() <= 2 * LEAST);
    }
  }

  /** As far as calls of the last minute tell, also where nothing was called since. */
  Verdict verdict() {
    if (verdict != Verdict.DESTINATIONS) {
      judge(nanoTime.getAsLong(), false);
    }
    return verdict;
  }

  private synchronized void judge(long now, boolean atOnce) {
    if (now - judgedNanos < JUDGED_EVERY_NANOS && !atOnce) {
      return;
    }
    judgedNanos = now;
    lately.values().removeIf(seen -> now - seen.nanos > LATELY_NANOS);
    Verdict was = verdict;
    verdict = now(now);
    if (verdict == Verdict.OWN && was != Verdict.OWN) {
      LOG.warn(
          "{} destinations do not answer this node, and hardly any does: its network or resolver is"
              + " suspected, and no circuit opens for that",
          silent(now - LATELY_NANOS));
    } else if (was == Verdict.OWN && verdict != Verdict.OWN) {
      LOG.info("the network of this node is not suspected any more");
    }
  }

  private Verdict now(long now) {
    if (isShared(now - LATELY_NANOS)) {
      return Verdict.OWN;
    }
    Long since = silentSince == null ? together(now) : silentSince;
    silentSince = since != null && isShared(since) ? since : null;
    if (silentSince == null) {
      return Verdict.DESTINATIONS;
    }
    return now - silentSince < TOGETHER_NANOS ? Verdict.UNCLEAR : Verdict.OWN;
  }

  /** When the first fell silent of those that did so within two seconds, if they are enough. */
  private @Nullable Long together(long now) {
    LongSummaryStatistics ages =
        lately.values().stream()
            .filter(Seen::unreached)
            .mapToLong(seen -> now - seen.since)
            .filter(age -> age <= TOGETHER_NANOS)
            .summaryStatistics();
    return ages.getCount() < LEAST ? null : now - ages.getMax();
  }

  /** Whether enough of those that were called since then are silent, and hardly any is not. */
  private boolean isShared(long since) {
    long called = lately.values().stream().filter(seen -> seen.nanos - since >= 0).count();
    long silent = silent(since);
    return silent >= LEAST && silent >= SHARE * called;
  }

  private long silent(long since) {
    return lately.values().stream()
        .filter(seen -> seen.unreached && seen.nanos - since >= 0)
        .count();
  }
}
