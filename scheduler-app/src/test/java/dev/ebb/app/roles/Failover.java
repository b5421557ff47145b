package dev.ebb.app.roles;

import dev.ebb.db.Await;
import dev.ebb.db.PostgresPair;
import dev.ebb.db.PostgresPair.Side;
import dev.ebb.db.Replication;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.stats.Attempts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** A primary and its standby, which change places as often as the primary is killed. */
final class Failover implements AutoCloseable {
  private static final String EVERY_JOB =
      """
      select id from ebb.job
      union all select id from ebb.dead_letter
      union all select id from ebb.every_history
      """;

  private final PostgresPair pair = PostgresPair.start();
  private final Replication replication = new Replication(pair);
  private Side primary = Side.A;

  Failover() {
    Migrations.migrate(pair.both());
  }

  DatabaseConfig database() {
    return pair.both();
  }

  /** From now on no commit is acknowledged before the standby has it. */
  void makeSynchronous() throws Exception {
    replication.makeSynchronous(primary);
  }

  /** The standby follows no more. */
  void cut() throws Exception {
    replication.cut(primary.other());
  }

  void killPrimary() {
    pair.kill(primary);
  }

  /** Promotes the standby, and answers when it took the first write. */
  long promote() throws Exception {
    primary = primary.other();
    FutureTask<Long> written = new FutureTask<>(this::awaitWrite);
    Thread.ofVirtual().start(written);
    pair.promote(primary);
    Await.until("it takes writes", written::isDone);
    return written.resultNow();
  }

  private long awaitWrite() {
    while (!writes()) {
      LockSupport.parkNanos(1_000_000);
    }
    return System.nanoTime();
  }

  private boolean writes() {
    try (Connection connection = TestPostgres.connect(pair.config(primary));
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_logical_emit_message(true, 'promoted', '')");
      return true;
    } catch (SQLException stillStandby) {
      return false;
    }
  }

  /** Makes the server that was killed anew, as a standby. */
  void standBy() {
    pair.follow(primary.other(), primary);
  }

  /** The jobs that the primary has, whether they have ended or not. */
  Set<UUID> jobs() throws SQLException {
    return new HashSet<>(Attempts.ids(config(), EVERY_JOB));
  }

  void awaitEveryJobEnded() throws Exception {
    Await.until("every job has ended", () -> pair.count(primary, "ebb.job") == 0);
  }

  /** The database on the server that is the primary now. */
  DatabaseConfig config() {
    return pair.config(primary);
  }

  @Override
  public void close() {
    pair.close();
  }
}
