package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.Moment;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.StartState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait at a node's start for a database that cannot be reached yet, as when both come up after
 * a power cut. It does not wait for what time cannot mend.
 */
final class DatabaseWait implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseWait.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration TELL_AGAIN = Duration.ofMinutes(1);

  private final Settings settings;
  private final Database database;
  private final Duration tellAgain;
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean isUsable;
  private boolean hasTold;
  private long toldNanos;

  DatabaseWait(Settings settings, Database database) {
    this(settings, database, TELL_AGAIN);
  }

  DatabaseWait(Settings settings, Database database, Duration tellAgain) {
    this.settings = settings;
    this.database = database;
    this.tellAgain = tellAgain;
  }

  /** Waits until the database can be used: {@code true}, or {@code false} if closed before. */
  boolean untilUsable() throws InterruptedException {
    while (!isClosed() && !look()) {
      var _ = closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
    }
    return !isClosed();
  }

  /**
   * Whether the database can be used now; after the first success it is not asked again.
   *
   * @throws CannotStart if it never can
   */
  boolean look() {
    if (isUsable) {
      return true;
    }
    try {
      Schema.require(settings, database);
      if (settings.startsPaused()) {
        pauseStart();
      }
      isUsable = true;
      if (hasTold) {
        LOG.info("the database answers");
      }
    } catch (SQLException failure) {
      if (isClosed()) {
        return false;
      }
      if (!mayPass(failure)) {
        throw Schema.unusable(settings.database(), failure);
      }
      tell(failure);
    }
    return isUsable;
  }

  /** Before anything of this node runs; a node that is started again finds it resumed. */
  private void pauseStart() throws SQLException {
    StartState state = new PausedStart(database).pause(Machine.as("EBB_START=paused"));
    if (!state.isPaused()) {
      LOG.warn(
          "EBB_START=paused pauses nothing: people resumed the start at {}, and the database was"
              + " not confirmed since (./ebb confirm, ./ebb restored)",
          Moment.words(state.resumedAt()));
    }
  }

  /** A pooling proxy that refuses what it is sent says so in the state of one without a server. */
  static boolean mayPass(SQLException failure) {
    return SqlStates.mayPass(failure) && !Schema.isRefusedByPooler(failure);
  }

  private void tell(SQLException failure) {
    long now = System.nanoTime();
    if (hasTold && now - toldNanos < tellAgain.toNanos()) {
      return;
    }
    hasTold = true;
    toldNanos = now;
    LOG.warn(
        "waiting for the database at {}: {}: {}",
        settings.database().address(),
        SqlStates.words(failure),
        Schema.why(failure));
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Ends the wait, this one or the next. */
  @Override
  public void close() {
    closed.countDown();
  }
}
