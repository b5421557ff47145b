package dev.ebb.bench.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A scheduler under measurement, opened on a database of its own. Stores and runs jobs that carry a
 * number, as a {@link Payload}.
 */
public interface Contender extends AutoCloseable {

  /** Creates its tables; called once per database, by one process. */
  void install() throws Exception;

  /** Opens pools and all that it needs to submit; no node runs yet. */
  void open() throws Exception;

  /**
   * Stores the jobs {@code from} to {@code to - 1} in bulk, as its documentation recommends, due
   * after the delay (zero: now).
   */
  void fill(int from, int to, Duration dueIn) throws Exception;

  /** Stores one job and returns when it is committed; called by many threads at once. */
  void submit(int number) throws Exception;

  /** Starts a node whose handler is the work, running at most this many jobs at a time. */
  void start(Work work, int concurrency) throws Exception;

  /** Stops the node after what runs is settled. */
  void stop() throws Exception;

  /**
   * Jobs that are stored and not yet ended, read from its own tables. Asked over a connection of
   * the harness, of a contender that was never opened.
   */
  long unfinished(Connection connection) throws SQLException;

  /**
   * Jobs that succeeded by its own tables; empty where they forget. Asked as {@link #unfinished}.
   */
  default OptionalLong succeeded(Connection connection) throws SQLException {
    return OptionalLong.empty();
  }

  /**
   * Attempts that failed by its own tables; empty where they forget. Asked as {@link #unfinished}.
   */
  default OptionalLong failedAttempts(Connection connection) throws SQLException {
    return OptionalLong.empty();
  }

  /**
   * Jobs that by its own tables did not run exactly this often, with attempts numbered from one;
   * empty where they forget. Asked as {@link #unfinished}.
   */
  default OptionalLong misrun(Connection connection, int times) throws SQLException {
    return OptionalLong.empty();
  }

  /** How it is set, for the report; what is not named is its default. */
  String settings();

  /** The concurrency of {@link #start} at which it drains no-op jobs best on two cores. */
  int bestConcurrency();

  /**
   * Spreads jobs evenly over this many queues, and lets the node serve all of them; called before
   * {@link #open}. Answers whether it can.
   */
  default boolean spreadOver(int queues) {
    return queues == 1;
  }

  @Override
  void close() throws Exception;

  /**
   * Work of a job; throws to fail. A job that fails runs again one second later, at least three
   * times in all.
   */
  @FunctionalInterface
  interface Work {
    void run(int number) throws Exception;
  }
}
