package dev.ebb.db.stats;

import dev.ebb.core.stats.Histogram;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;

/** A number for each counter, and how long jobs waited and attempts ran. */
public final class Counts {
  private final Map<Counter, Long> numbers = new EnumMap<>(Counter.class);
  private final long[] waits = new long[Histogram.BUCKETS];
  private final long[] runs = new long[Histogram.BUCKETS];
  private double waitMicros;
  private double runMicros;

  Counts() {}

  /** Adds a row that has a column for each counter. */
  void addCounters(ResultSet row) throws SQLException {
    for (Counter counter : Counter.values()) {
      numbers.merge(counter, row.getLong(counter.column()), Long::sum);
    }
  }

  /** Adds a row that also has the lengths. */
  void addAll(ResultSet row) throws SQLException {
    addCounters(row);
    waitMicros += row.getDouble("wait_micros");
    runMicros += row.getDouble("run_micros");
    add(waits, row, "wait");
    add(runs, row, "run");
  }

  private static void add(long[] sums, ResultSet row, String column) throws SQLException {
    Long[] numbers = (Long[]) row.getArray(column).getArray();
    for (int bucket = 0; bucket < numbers.length; bucket++) {
      sums[bucket] += numbers[bucket];
    }
  }

  public long of(Counter counter) {
    return numbers.getOrDefault(counter, 0L);
  }

  /** How long the attempts that started had been due. */
  public Histogram waits() {
    return new Histogram(waits);
  }

  /** How long the attempts ran that completed or failed. */
  public Histogram runs() {
    return new Histogram(runs);
  }

  public Duration waitSum() {
    return Duration.of((long) waitMicros, ChronoUnit.MICROS);
  }

  public Duration runSum() {
    return Duration.of((long) runMicros, ChronoUnit.MICROS);
  }
}
