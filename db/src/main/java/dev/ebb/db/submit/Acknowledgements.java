package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that this process acknowledged lately. They are looked up when the database may have
 * lost some.
 *
 * <pre>
 *   submit ──▶ acknowledged ──▶ the last ten minutes of them
 *                                        │
 *   every five seconds: another server, another timeline, or less log than before?
 *                                        │ yes
 *                                        ▼
 *                         those that are not there ──▶ ebb.lost_job, log, metric
 * </pre>
 *
 * <p>A promotion of an asynchronous standby, and a disk that was put back to what it was, lose
 * commits without a word. A restart of the server loses none, and is looked at all the same.
 */
public final class Acknowledgements implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Acknowledgements.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final int BATCH = 1_000;

  private static final String POSITION =
      """
      select
        pg_postmaster_start_time() as started_at,
        pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as written
      """;

  private final Database database;
  private final InstantSource clock;
  private final Counter lost;
  private final Acknowledged acknowledged = new Acknowledged();
  private final AtomicInteger lookUps = new AtomicInteger();
  private final Loop loop;
  private @Nullable Position last;

  /** Starts to look; the database stays the caller's to close, and need not answer yet. */
  public Acknowledgements(Database database, MeterRegistry registry, FailureLog failureLog) {
    this.database = database;
    this.clock = InstantSource.system();
    this.lost =
        Counter.builder("ebb.jobs.lost")
            .description("Jobs that this process acknowledged and a failover or restore lost.")
            .register(registry);
    this.loop = new Loop("acknowledgements", failureLog, this::step);
    loop.start();
  }

  /**
   * Where a server is.
   *
   * @param written bytes of the log since the cluster was made
   */
  private record Position(Instant startedAt, long written) {
    boolean mayHaveLost(Position before) {
      return !startedAt.equals(before.startedAt) || written < before.written;
    }
  }

  /**
   * These jobs are committed, and their caller is about to be told. Duplicates and repetitions
   * count, too: who stored the job may have had no answer, and its process may be gone.
   */
  public void add(List<NewJob> jobs, List<Submitted> submitted) {
    for (int i = 0; i < submitted.size(); i++) {
      add(submitted.get(i).id(), jobs.get(i).queue(), jobs.get(i).uniqueKey());
    }
  }

  /** The same for one job. */
  public void add(UUID id, String queue, @Nullable String uniqueKey) {
    acknowledged.add(new Acknowledged.Job(id, queue, uniqueKey, clock.instant()));
  }

  private Duration step() throws SQLException {
    Position now = database.inAutocommit(Acknowledgements::position);
    Position before = last;
    if (before != null && now.mayHaveLost(before)) {
      lookUp();
      lookUps.incrementAndGet();
    }
    last = now;
    return EVERY;
  }

  private static Position position(Connection connection) throws SQLException {
    return Statements.one(
        connection,
        POSITION,
        _ -> {},
        row -> new Position(Rows.instant(row, "started_at"), row.getLong("written")));
  }

  private void lookUp() throws SQLException {
    List<Acknowledged.Job> all = acknowledged.at(clock.instant());
    database.inAutocommit(LostJobs::forget);
    int missing = 0;
    for (int from = 0; from < all.size(); from += BATCH) {
      List<Acknowledged.Job> batch = all.subList(from, Math.min(all.size(), from + BATCH));
      missing += database.inTransaction(there -> LostJobs.keepMissing(there, batch));
    }
    lost.increment(missing);
    if (missing > 0) {
      LOG.error(
          "{} of the {} jobs that this process acknowledged in the last ten minutes are lost: the"
              + " database failed over, or was put back; GET /v1/database/lost-jobs lists them",
          missing,
          all.size());
    }
  }

  /** How often something may have been lost. */
  int lookUps() {
    return lookUps.get();
  }

  /** Looks at once instead of in a while. */
  void look() {
    loop.wake();
  }

  @Override
  public void close() {
    loop.close();
  }
}
