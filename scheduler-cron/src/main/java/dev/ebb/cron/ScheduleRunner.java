package dev.ebb.cron;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.schedule.FireHistory;
import dev.ebb.db.schedule.FireTally;
import dev.ebb.db.schedule.Firing;
import dev.ebb.db.schedule.TriggerRows;
import dev.ebb.db.start.StartWatch;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.quartz.SchedulerException;

/**
 * The part of a process that fires schedules. Any number of processes may run one: together they
 * are a cluster of Quartz, and each fire makes one job.
 */
public final class ScheduleRunner implements AutoCloseable {
  /** How soon a fire that waits starts once the job before it has ended. */
  private static final Duration WAITING_EVERY = Duration.ofMillis(100);

  private static final Duration NONE_WAITS = Duration.ofSeconds(1);
  private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
  private static final String FIRER = "firer";
  private static final String WAITING_FIRES = "waiting-fires";

  private final FailureLog failureLog;
  private final Notifier notifier;
  private final ScheduleMeters meters;
  private final StartWatch start;
  private final Firing firing;
  private final FireHistory history;
  private final QuartzNode quartz;
  private final Reconciler reconciler;
  private final Loop reconciling;
  private final List<Loop> loops;
  private final FailingSchedules failing;
  private final FailingSchedules failingToStart;

  private ScheduleRunner(Database database, String node, MeterRegistry registry)
      throws SchedulerException {
    this.failureLog = new FailureLog(registry);
    this.meters = new ScheduleMeters(registry);
    this.firing = new Firing(database, node);
    this.history = new FireHistory(database);
    this.failing = new FailingSchedules(failureLog, FIRER);
    this.failingToStart = new FailingSchedules(failureLog, WAITING_FIRES);
    this.quartz = QuartzNode.create(database, node);
    this.notifier = new Notifier(database, failureLog);
    this.start =
        new StartWatch("fire start watch", database, registry, failureLog, _ -> startIsKnown());
    this.reconciler =
        new Reconciler(
            firing, new TriggerRows(database, QuartzNode.CLUSTER), quartz, this::fireDue);
    this.reconciling = new Loop("reconciler", failureLog, start.unlessPaused(reconciler::step));
    this.loops =
        List.of(
            reconciling,
            new Loop(WAITING_FIRES, failureLog, start.unlessPaused(this::startWaiting)),
            new Loop("fire-pruner", failureLog, start.unlessPaused(this::prune)));
    quartz.scheduler().setJobFactory((_, _) -> new FireJob(this::fireDue));
  }

  /**
   * Starts to fire.
   *
   * @param database stays the caller's, and must be open until this is closed
   * @param node its name in the cluster, unlike those of all others
   */
  public static ScheduleRunner start(Database database, String node, MeterRegistry registry) {
    try {
      ScheduleRunner runner = new ScheduleRunner(database, node, registry);
      runner.start.start();
      runner.loops.forEach(Loop::start);
      return runner;
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz does not start: " + e.getMessage(), e);
    }
  }

  private void startIsKnown() {
    loops.forEach(Loop::wake);
  }

  /** Whether it runs and the last look at the triggers succeeded. */
  public boolean isHealthy() {
    return loops.stream().allMatch(Loop::isHealthy);
  }

  /**
   * What fails stays due, and the reconciler looks for that each second. It is woken for what fired
   * alone: otherwise a schedule that stays due would have both go round without a pause.
   */
  private synchronized void fireDue() {
    if (start.isPaused()) {
      return;
    }
    FireTally fired = new FireTally();
    try {
      firing.fireDue(fired);
      failing.looked(fired);
      failureLog.recovered(FIRER, "");
    } catch (SQLException | RuntimeException e) {
      failureLog.failed(FIRER, "", e);
    }
    tell(fired);
    if (!fired.fires().isEmpty()) {
      reconciler.fired(fired.latest());
      reconciling.wake();
    }
  }

  private Duration startWaiting() throws SQLException {
    if (!reconciler.isStarted()) {
      return NONE_WAITS;
    }
    FireTally fired = new FireTally();
    try {
      boolean wait = firing.startWaiting(fired);
      failingToStart.looked(fired);
      return wait && fired.failures().isEmpty() ? WAITING_EVERY : NONE_WAITS;
    } finally {
      tell(fired);
    }
  }

  private Duration prune() throws SQLException {
    return history.prune() ? Duration.ZERO : PRUNE_EVERY;
  }

  private void tell(FireTally fired) {
    meters.count(fired);
    fired.queues().forEach(notifier::workArrived);
  }

  /** Stops behind the transaction that is under way. */
  @Override
  public void close() {
    firing.stop();
    start.close();
    loops.forEach(Loop::stop);
    try {
      quartz.close();
    } catch (CompletionException e) {
      failureLog.failed(FIRER, "shutdown", e);
    }
    loops.forEach(Loop::close);
    notifier.close();
  }
}
