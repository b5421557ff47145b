package dev.ebb.worker;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.stats.SubjectCounts;
import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.stats.SubjectStats;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the attempts that ended here by what they are about, and writes a minute's counts a few
 * times while they grow. A node that is killed takes its last ten seconds along.
 */
final class SubjectCounter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SubjectCounter.class);
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** Failures of which the other side knows nothing. */
  private static final Set<String> OWN = Set.of(Failure.WORKER_LOST, Failure.DEADLINE);

  private final SubjectStats stats;
  private final Loop loop;
  private final UUID writer = UUID.randomUUID();
  private Period current = new Period();
  private @Nullable Period ended;

  /** What is counted for one minute; its counts and {@code grown} are guarded by the counter. */
  private static final class Period {
    private final SubjectCounts counts = new SubjectCounts();
    private boolean grown;
    private @Nullable Instant minute;
    private long endsNanos;

    private boolean isOver() {
      return minute != null && System.nanoTime() - endsNanos >= 0;
    }
  }

  SubjectCounter(Database database, FailureLog failureLog) {
    this.stats = new SubjectStats(database);
    this.loop = new Loop("subject counter", failureLog, this::step);
  }

  void start() {
    loop.start();
  }

  /**
   * Counts an attempt whose settlement was written, or was kept out because it came too late: the
   * other side saw it all the same.
   */
  void add(FinishedAttempt attempt) {
    String subject = attempt.claimed().subject();
    if (subject == null) {
      return;
    }
    switch (attempt.outcome()) {
      case Outcome.Completed _ -> add(subject, false);
      case Outcome.Failed(Failure failure) -> addFailed(subject, failure);
      case Outcome.Throttled(Failure failure, Duration _) -> addFailed(subject, failure);
      case Outcome.Fatal(Failure failure, _) -> addFailed(subject, failure);
      case Outcome.NotReady _, Outcome.Cancelled _, Outcome.GivenBack _ -> {}
    }
  }

  private void addFailed(String subject, Failure failure) {
    if (!OWN.contains(failure.reason())) {
      add(subject, true);
    }
  }

  private synchronized void add(String subject, boolean failed) {
    current.counts.add(subject, failed);
    current.grown = true;
  }

  /** Writes what has grown, and answers when to come again. */
  Duration step() throws SQLException {
    if (ended == null && current.isOver()) {
      ended = end();
    }
    if (ended != null) {
      write(ended);
      ended = null;
    }
    write(current);
    return current.minute == null ? EVERY : shorter(EVERY, current.endsNanos - System.nanoTime());
  }

  private static Duration shorter(Duration longest, long nanos) {
    return Duration.ofNanos(Math.clamp(nanos, 0, longest.toNanos()));
  }

  /** Writes what is left, if the database is there. */
  @Override
  public void close() {
    loop.close();
    try {
      var _ = step();
    } catch (SQLException e) {
      LOG.warn("the last attempts are missing in the statistics by subject", e);
    }
  }

  private synchronized Period end() {
    Period last = current;
    current = new Period();
    return last;
  }

  /** What has been counted since the last time; empty if nothing has. */
  private synchronized List<SubjectCounts.Count> grown(Period period) {
    boolean grown = period.grown;
    period.grown = false;
    return grown ? period.counts.counts() : List.of();
  }

  private void write(Period period) throws SQLException {
    List<SubjectCounts.Count> counts = grown(period);
    if (counts.isEmpty()) {
      return;
    }
    try {
      SubjectStats.Minute minute = stats.write(writer, period.minute, counts);
      period.minute = minute.at();
      period.endsNanos = System.nanoTime() + minute.left().toNanos();
    } catch (SQLException e) {
      again(period);
      throw e;
    }
  }

  private synchronized void again(Period period) {
    period.grown = true;
  }
}
