package dev.ebb.db.submit;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ids of new jobs: UUIDs of version 7, each greater than the one before it in this process.
 *
 * <p>Behind the milliseconds stand 12 bits of their fraction, as in PostgreSQL's own {@code
 * uuidv7()}, then 62 random bits. A clock that goes back, or more than four jobs in a microsecond,
 * let the ids run ahead of the clock.
 */
final class JobIds {
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long VERSION_7 = 0x7000;
  private static final SecureRandom SEEDS = new SecureRandom();
  private static final AtomicLong LAST = new AtomicLong();

  private JobIds() {}

  /** New ids in ascending order. */
  static UUID[] next(int count) {
    return next(count, LAST, Instant.now());
  }

  /** The same after the last tick that was given away. */
  static UUID[] next(int count, AtomicLong last, Instant now) {
    long end = last.updateAndGet(before -> Math.max(before, ticks(now) - 1) + count);
    SplittableRandom random = new SplittableRandom(SEEDS.nextLong());
    UUID[] ids = new UUID[count];
    for (int i = 0; i < count; i++) {
      ids[i] = id(end - count + 1 + i, random.nextLong());
    }
    return ids;
  }

  /** Milliseconds and, in 12 bits, their fraction. */
  private static long ticks(Instant now) {
    long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, now);
    long millis = nanos / NANOS_PER_MILLI;
    return (millis << 12) + ((nanos % NANOS_PER_MILLI) << 12) / NANOS_PER_MILLI;
  }

  private static UUID id(long tick, long random) {
    long millis = tick >>> 12;
    long fraction = tick & 0xfff;
    return new UUID((millis << 16) | VERSION_7 | fraction, (random >>> 2) | 0x8000_0000_0000_0000L);
  }
}
