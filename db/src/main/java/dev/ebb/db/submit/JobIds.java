package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.WebhookId;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ids of new jobs: UUIDs that begin with the time, as in RFC 9562.
 *
 * <pre>
 *   48 bits         4         12          2    62 bits
 *   milliseconds    version   fraction    10   random, or of the idempotency key
 * </pre>
 *
 * <p>Version 7 is PostgreSQL's own {@code uuidv7()}; in one process each is greater than the one
 * before. A job with an idempotency key has version 8, and its last bits follow from the request:
 * see {@link WebhookId}. A clock that goes back, or more than four jobs in a microsecond, let the
 * ids run ahead of the clock.
 */
public final class JobIds {
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final SecureRandom SEEDS = new SecureRandom();
  private static final AtomicLong LAST = new AtomicLong();

  private JobIds() {}

  /** New ids in ascending order. */
  static UUID[] next(int count) {
    return next(count, LAST, Instant.now());
  }

  /** The same after the last tick that was given away. */
  static UUID[] next(int count, AtomicLong last, Instant now) {
    long tick = reserve(count, last, now);
    SplittableRandom random = new SplittableRandom(SEEDS.nextLong());
    UUID[] ids = new UUID[count];
    for (int i = 0; i < count; i++) {
      ids[i] = id(tick + i, random.nextLong());
    }
    return ids;
  }

  /** Those of the submissions' jobs, in their order. */
  static UUID[] of(List<Submission> submissions) {
    UUID[] ids = next(submissions.stream().mapToInt(one -> one.jobs().size()).sum());
    int place = 0;
    for (Submission submission : submissions) {
      IdempotencyKey key = submission.key();
      for (int i = 0; i < submission.jobs().size(); i++, place++) {
        ids[place] = key == null ? ids[place] : keyed(ids[place], key.bits(i));
      }
    }
    return ids;
  }

  /** The first of so many ticks that nobody else is given. */
  private static long reserve(int count, AtomicLong last, Instant now) {
    return last.updateAndGet(before -> Math.max(before, ticks(now) - 1) + count) - count + 1;
  }

  /** Milliseconds and, in 12 bits, their fraction. */
  private static long ticks(Instant now) {
    long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, now);
    long millis = nanos / NANOS_PER_MILLI;
    return (millis << 12) + ((nanos % NANOS_PER_MILLI) << 12) / NANOS_PER_MILLI;
  }

  private static UUID keyed(UUID id, long bits) {
    long time = id.getMostSignificantBits() & ~0xf000L;
    return new UUID(time | (WebhookId.KEYED << 12), last(bits));
  }

  private static UUID id(long tick, long random) {
    long millis = tick >>> 12;
    long fraction = tick & 0xfff;
    return new UUID((millis << 16) | (WebhookId.RANDOM << 12) | fraction, last(random));
  }

  private static long last(long bits) {
    return (bits >>> 2) | 0x8000_0000_0000_0000L;
  }
}
