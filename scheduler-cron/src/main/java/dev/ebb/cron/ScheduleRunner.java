package dev.ebb.cron;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.schedule.FireHistory;
import dev.ebb.db.schedule.Fired;
import dev.ebb.db.schedule.Firing;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;

/**
 * The part of a process that fires schedules. Any number of processes may run one: together they
 * are a cluster of Quartz, and each fire makes one job.
 */
public final class ScheduleRunner implements AutoCloseable {
  private static final Duration START_WAITING_EVERY = Duration.ofSeconds(1);
  private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
  private static final String FIRER = "firer";

  private final FailureLog failureLog;
  private final Notifier notifier;
  private final ScheduleMeters meters;
  private final Firing firing;
  private final FireHistory history;
  private final Scheduler scheduler;
  private final Loop reconciling;
  private final List<Loop> loops;

  /** The schedules that the last look could not fire; of Quartz's one thread. */
  private Set<String> failing = Set.of();

  private ScheduleRunner(Database database, String node, MeterRegistry registry)
      throws SchedulerException {
    this.failureLog = new FailureLog(registry);
    this.meters = new ScheduleMeters(registry);
    this.firing = new Firing(database, node);
    this.history = new FireHistory(database);
    this.scheduler = QuartzNode.create(database, node);
    this.notifier = new Notifier(database, failureLog);
    Reconciler reconciler = new Reconciler(firing, scheduler);
    this.reconciling = new Loop("reconciler", failureLog, reconciler::step);
    this.loops =
        List.of(
            reconciling,
            new Loop("waiting-fires", failureLog, this::startWaiting),
            new Loop("fire-pruner", failureLog, this::prune));
    scheduler.setJobFactory((_, _) -> new FireJob(this::fireDue));
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
      runner.scheduler.start();
      runner.loops.forEach(Loop::start);
      return runner;
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz does not start: " + e.getMessage(), e);
    }
  }

  /** Whether it runs and the last look at the triggers succeeded. */
  public boolean isHealthy() {
    return loops.stream().allMatch(Loop::isHealthy);
  }

  /**
   * What fails stays due, and the reconciler looks for that each second. It is woken for what fired
   * alone: otherwise a schedule that stays due would have both go round without a pause.
   */
  private void fireDue() {
    try {
      Fired fired = firing.fireDue();
      tell(fired);
      recover(fired.failures().keySet());
      failureLog.recovered(FIRER, "");
      if (!fired.fires().isEmpty()) {
        reconciling.wake();
      }
    } catch (SQLException | RuntimeException e) {
      failureLog.failed(FIRER, "", e);
    }
  }

  private void recover(Set<String> stillFailing) {
    for (String schedule : failing) {
      if (!stillFailing.contains(schedule)) {
        failureLog.recovered(FIRER, what(schedule));
      }
    }
    failing = Set.copyOf(stillFailing);
  }

  private static String what(String schedule) {
    return "schedule " + schedule;
  }

  private Duration startWaiting() throws SQLException {
    tell(firing.startWaiting());
    return START_WAITING_EVERY;
  }

  private Duration prune() throws SQLException {
    return history.prune() ? Duration.ZERO : PRUNE_EVERY;
  }

  private void tell(Fired fired) {
    meters.count(fired);
    fired.queues().forEach(notifier::workArrived);
    fired.failures().forEach((schedule, why) -> failureLog.failed(FIRER, what(schedule), why));
  }

  /** Stops behind the transaction that is under way. */
  @Override
  public void close() {
    firing.stop();
    loops.forEach(Loop::stop);
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      failureLog.failed(FIRER, "shutdown", e);
    }
    loops.forEach(Loop::close);
    notifier.close();
  }
}
