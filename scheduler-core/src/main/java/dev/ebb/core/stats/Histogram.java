package dev.ebb.core.stats;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many lengths of time fell into each bucket. The bounds double:
 *
 * <pre>
 *   bucket     0          1          2        …   31
 *   from       0      1,024 µs   2,048 µs         2^40 µs, about 13 days
 * </pre>
 */
public final class Histogram {
  public static final int BUCKETS = 32;

  private static final int FIRST_BOUND_LOG = 10;

  /** The lower bounds of all buckets but the first, for SQL: {@code 1024 us,2048 us,…}. */
  public static final String BOUNDS =
      IntStream.range(1, BUCKETS)
          .mapToObj(bucket -> lowerMicros(bucket) + " us")
          .collect(Collectors.joining(","));

  private final long[] numbers;

  /**
   * A histogram of a copy.
   *
   * @param numbers by bucket; those behind its end are empty
   */
  public Histogram(long[] numbers) {
    this.numbers = Arrays.copyOf(numbers, BUCKETS);
  }

  /** The bucket of so many microseconds. */
  public static int bucket(long micros) {
    int log = 63 - Long.numberOfLeadingZeros(Math.max(1, micros));
    return Math.clamp(log - (FIRST_BOUND_LOG - 1), 0, BUCKETS - 1);
  }

  private static long lowerMicros(int bucket) {
    return bucket == 0 ? 0 : 1L << (FIRST_BOUND_LOG - 1 + bucket);
  }

  /** How many there are in all. */
  public long total() {
    long total = 0;
    for (long number : numbers) {
      total += number;
    }
    return total;
  }

  /**
   * An estimate of the length that this share of them does not exceed: as if those of a bucket lay
   * evenly between its bounds, so that it is wrong by less than a factor of two. Those of the last
   * bucket count as its lower bound. Empty without any.
   */
  public Optional<Duration> quantile(double share) {
    double rank = share * total();
    double before = 0;
    for (int bucket = 0; bucket < numbers.length; bucket++) {
      if (numbers[bucket] > 0 && before + numbers[bucket] >= rank) {
        double part = Math.max(0, (rank - before) / numbers[bucket]);
        return Optional.of(Duration.of(within(bucket, part), ChronoUnit.MICROS));
      }
      before += numbers[bucket];
    }
    return Optional.empty();
  }

  private static long within(int bucket, double part) {
    long lower = lowerMicros(bucket);
    boolean isLast = bucket == BUCKETS - 1;
    return isLast ? lower : lower + Math.round(part * (lowerMicros(bucket + 1) - lower));
  }
}
