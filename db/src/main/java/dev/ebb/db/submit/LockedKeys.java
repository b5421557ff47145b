package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The unique keys that open transactions were seen to hold a moment ago. */
final class LockedKeys {
  /** Longer than a caller is asked to wait before it tries again. */
  static final Duration MEMORY = Duration.ofSeconds(5);

  /** If there are more keys, those not seen for longest are forgotten. */
  static final int MOST = 1000;

  private final LongSupplier nanoTime;
  private final LinkedHashMap<Key, Long> seenAt = new LinkedHashMap<>();

  private record Key(String kind, @Nullable String uniqueKey) {
    static Key of(NewJob job) {
      return new Key(job.kind(), job.uniqueKey());
    }
  }

  LockedKeys(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A transaction that has not ended holds the key of this job. */
  synchronized void add(NewJob job) {
    Key key = Key.of(job);
    seenAt.remove(key);
    seenAt.put(key, nanoTime.getAsLong());
    if (seenAt.size() > MOST) {
      seenAt.pollFirstEntry();
    }
  }

  /** The key of this job was free, or is that of a job that is committed. */
  synchronized void remove(NewJob job) {
    seenAt.remove(Key.of(job));
  }

  /** Whether the key of this job was held a moment ago. */
  boolean has(NewJob job) {
    return job.uniqueKey() != null && isRecent(Key.of(job));
  }

  private synchronized boolean isRecent(Key key) {
    Long at = seenAt.get(key);
    return at != null && nanoTime.getAsLong() - at < MEMORY.toNanos();
  }
}
