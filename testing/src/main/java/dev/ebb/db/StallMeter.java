package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures, beside a test, whether the machine keeps up: how late a thread wakes up, and how long
 * the database takes to commit.
 */
public final class StallMeter implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long COMMIT_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Writes a record of a few bytes, for whose flush the commit waits. */
  private static final String COMMIT =
      """
      select pg_logical_emit_message(true, 'stall', '')
      """;

  private final DatabaseConfig database;
  private final Thread ticking = Thread.ofPlatform().daemon().unstarted(this::tick);
  private final Thread committing = Thread.ofPlatform().daemon().unstarted(this::commit);
  private final Longest lateness = new Longest();
  private final Longest commits = new Longest();
  private volatile boolean closed;

  private static final class Longest {
    private long count;
    private long sumNanos;
    private long mostNanos;

    synchronized void add(long nanos) {
      count++;
      sumNanos += nanos;
      mostNanos = Math.max(mostNanos, nanos);
    }

    synchronized double most() {
      return mostNanos / 1e6;
    }

    synchronized double mean() {
      return sumNanos / 1e6 / Math.max(1, count);
    }
  }

  /**
   * How badly the machine stalled; all in milliseconds.
   *
   * @param lateness of the latest wake-up
   * @param meanLateness of all wake-ups
   * @param commit that took longest
   */
  public record Stalls(double lateness, double meanLateness, double commit) {
    private static final double LONG = 50;
    private static final double STARVED = 2;

    /** Whether a test that missed a deadline on this machine could not have met it. */
    public boolean areLong() {
      return lateness >= LONG || meanLateness >= STARVED || commit >= LONG;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "a thread woke up to %.0f ms late (%.1f ms in the mean), a commit took up to %.0f ms",
          lateness,
          meanLateness,
          commit);
    }
  }

  private StallMeter(DatabaseConfig database) {
    this.database = database;
  }

  /** Starts to measure, until closed. */
  public static StallMeter start(DatabaseConfig database) {
    StallMeter meter = new StallMeter(database);
    meter.ticking.start();
    meter.committing.start();
    return meter;
  }

  private void tick() {
    while (!closed) {
      long start = System.nanoTime();
      LockSupport.parkNanos(TICK_NANOS);
      lateness.add(System.nanoTime() - start - TICK_NANOS);
    }
  }

  /** A server that is stopped on purpose does not count as one that stalls. */
  private void commit() {
    while (!closed) {
      try (Connection connection = TestPostgres.connect(database);
          Statement statement = connection.createStatement()) {
        commit(statement);
      } catch (SQLException e) {
        LockSupport.parkNanos(COMMIT_EVERY_NANOS);
      }
    }
  }

  private void commit(Statement statement) throws SQLException {
    while (!closed) {
      long start = System.nanoTime();
      statement.execute(COMMIT);
      commits.add(System.nanoTime() - start);
      LockSupport.parkNanos(COMMIT_EVERY_NANOS);
    }
  }

  /** What was measured so far. */
  public Stalls stalls() {
    return new Stalls(lateness.most(), lateness.mean(), commits.most());
  }

  @Override
  public void close() {
    closed = true;
    try {
      ticking.join(Duration.ofSeconds(10));
      committing.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
