package dev.ebb.db.loop;

import dev.ebb.db.connection.SqlStates;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures that repeat: the first one of each kind, then once a minute while they last, and
 * when they are over. Counts each failure in {@code ebb.failures}, by part.
 */
public final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
  private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

  /** Beyond this many, failures are counted and logged each time. */
  private static final int MOST_REMEMBERED = 1_000;

  private final MeterRegistry registry;
  private final ConcurrentHashMap<Key, Trouble> troubles = new ConcurrentHashMap<>();

  private record Key(String part, String what) {}

  /**
   * @param kinds of the failures that were logged since then
   */
  private record Trouble(long failures, long sinceNanos, Set<String> kinds) {
    private static final int MOST_KINDS = 5;

    static Trouble first(String kind, long now) {
      return new Trouble(1, now, Set.of(kind));
    }

    /** Whether a failure of this kind is to be logged. */
    boolean isNews(String kind, long now) {
      return now - sinceNanos >= AGAIN_NANOS
          || (!kinds.contains(kind) && kinds.size() < MOST_KINDS);
    }

    Trouble next(String kind, long now) {
      if (now - sinceNanos >= AGAIN_NANOS) {
        return new Trouble(failures + 1, now, Set.of(kind));
      }
      Set<String> more = new HashSet<>(kinds);
      if (isNews(kind, now)) {
        more.add(kind);
      }
      return new Trouble(failures + 1, sinceNanos, more);
    }
  }

  /** Counts in the registry. */
  public FailureLog(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Counts the failures of a part, wherever they are logged. */
  public static Counter meter(MeterRegistry registry, String part) {
    return Counter.builder("ebb.failures")
        .description("Failures of this process's parts; each part tries again.")
        .tag("part", part)
        .register(registry);
  }

  /** Shows that the part has not failed yet: what begins at 1 has not risen, for Prometheus. */
  void watch(String part) {
    var _ = meter(registry, part);
  }

  /**
   * Something failed.
   *
   * @param part of the node, such as {@code poller}: a tag of the metric
   * @param what it failed at, such as {@code queue merchants}; empty for the part as a whole
   */
  public void failed(String part, String what, Throwable failure) {
    meter(registry, part).increment();
    Key key = new Key(part, what);
    Trouble before = troubles.get(key);
    long now = System.nanoTime();
    String kind = kind(failure);
    Trouble after = before == null ? Trouble.first(kind, now) : before.next(kind, now);
    if (before != null || troubles.size() < MOST_REMEMBERED) {
      troubles.put(key, after);
    }
    if (before == null || before.isNews(kind, now)) {
      tell(name(key), after.failures, failure);
    }
  }

  /** What failed, for people who may not see the log: without the server's own words. */
  public static String words(Throwable failure) {
    return failure instanceof SQLException sql ? SqlStates.words(sql) : "a defect, see the log";
  }

  private static String kind(Throwable failure) {
    return failure instanceof SQLException sql
        ? SqlStates.words(sql)
        : failure.getClass().getName();
  }

  private static void tell(String name, long failures, Throwable failure) {
    String times = failures == 1 ? "" : " after " + (failures - 1) + " failed tries";
    if (failure instanceof SQLException sql) {
      LOG.warn("{}: {}, trying again{}: {}", name, SqlStates.words(sql), times, sql.getMessage());
    } else {
      LOG.error("{}: failed, trying again{}", name, times, failure);
    }
  }

  /** It works again, if it failed before. */
  public void recovered(String part, String what) {
    if (!troubles.isEmpty()) {
      Key key = new Key(part, what);
      Trouble over = troubles.remove(key);
      if (over != null) {
        LOG.info("{}: back after {} failed tries", name(key), over.failures);
      }
    }
  }

  /**
   * A part has not come round for so long, and fails at nothing either: what its thread is at, and
   * what the thread is at that holds the lock for which it waits.
   */
  void hangs(String part, Duration since, Thread thread) {
    registry.counter("ebb.failures", "part", part).increment();
    LOG.error("{}: hangs for {} s", part, since.toSeconds(), StackOf.thread(thread.threadId()));
  }

  /** It has, after all. */
  void cameRound(String part, Duration since) {
    LOG.warn("{}: came round after {} s", part, since.toSeconds());
  }

  private static String name(Key key) {
    return key.what.isEmpty() ? key.part : key.part + ", " + key.what;
  }
}
