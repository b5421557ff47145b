package dev.ebb.cron;

import dev.ebb.db.connection.DatabaseClock;
import dev.ebb.db.schedule.Firing;
import dev.ebb.db.schedule.TriggerRows;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Gatherers;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Quartz's triggers follow the schedules: one for each of the next instants at which any of
 * them fires, and no other.
 *
 * <p>It mends what was changed behind its back. A trigger that is missing is made, one that belongs
 * to no schedule or is not as Quartz makes them is removed, a group that was paused is resumed.
 * Where a schedule has been due for a second, because a node died with its trigger or a trigger was
 * moved, one is made for now. Where that does not help, because Quartz is out of order, the
 * reconciler looks itself.
 *
 * <p>When it starts, and when the database's clock steps, it brings near the next fires that were
 * computed while that clock ran ahead.
 *
 * <p>Quartz starts with the first schedule: without any, nobody need pay for its rounds.
 */
final class Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  /** Of instants; those behind them come nearer. */
  private static final int MOST = 1_000;

  /** Of triggers that are written in one transaction, in which no node can take another. */
  private static final int CHUNK = 50;

  /** How long a schedule may be overdue, in spite of a trigger for now, before it looks itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What was under way when the clock was set back has ended by then. */
  private static final Duration MEND_AGAIN = Duration.ofSeconds(10);

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final String GROUP = "ebb";
  private static final TriggerKey NOW = TriggerKey.triggerKey("now", GROUP);

  private static final JobDetail JOB =
      JobBuilder.newJob(FireJob.class).withIdentity("fire", GROUP).storeDurably().build();

  private final Firing firing;
  private final TriggerRows rows;
  private final QuartzNode quartz;
  private final Scheduler scheduler;
  private final Runnable look;
  private final DatabaseClock clock = new DatabaseClock();
  private volatile boolean isStarted;
  private long onTimeNanos = System.nanoTime();
  private int mends = 1;
  private long mendNanos = System.nanoTime();

  /** One that looks for due schedules by the last of these, where Quartz does not. */
  Reconciler(Firing firing, TriggerRows rows, QuartzNode quartz, Runnable look) {
    this.firing = firing;
    this.rows = rows;
    this.quartz = quartz;
    this.scheduler = quartz.scheduler();
    this.look = look;
  }

  /** Hears of the latest fire time that this node served. */
  void fired(Instant latest) {
    clock.reached(latest);
  }

  /** Once; answers when to do it again. */
  Duration step() throws SQLException {
    try {
      Firing.Look seen = lookAtTheClock();
      if (seen.some() && !isStarted) {
        start(seen.overdue());
      }
      if (isStarted) {
        hurry(seen.overdue());
        removeOdd();
        follow(firing.upcoming(MOST));
      }
      return EVERY;
    } catch (SchedulerException e) {
      throw asSql(e);
    }
  }

  private void start(boolean overdue) throws SchedulerException {
    try {
      quartz.start();
      isStarted = true;
    } catch (SchedulerException e) {
      if (overdue) {
        look.run();
      }
      throw e;
    }
  }

  /** Whether there has been a schedule since this began to look. */
  boolean isStarted() {
    return isStarted;
  }

  private Firing.Look lookAtTheClock() throws SQLException {
    long asked = System.nanoTime();
    Firing.Look seen = firing.look();
    long answered = System.nanoTime();
    if (clock.stepped(seen.now(), asked, answered)) {
      mends = 2;
      mendNanos = answered;
    }
    if (mends > 0 && answered - mendNanos >= 0) {
      mend();
    }
    return seen;
  }

  private void mend() throws SQLException {
    List<String> mended = firing.bringNear();
    mends--;
    mendNanos = System.nanoTime() + MEND_AGAIN.toNanos();
    if (!mended.isEmpty()) {
      LOG.warn(
          "the database's clock was set back: brought near the next fires of {} schedules",
          mended.size());
    }
  }

  private void hurry(boolean overdue) throws SQLException, SchedulerException {
    if (!overdue) {
      onTimeNanos = System.nanoTime();
    } else if (System.nanoTime() - onTimeNanos > PATIENCE.toNanos()) {
      look.run();
    } else {
      storeOrLook(trigger(NOW, Instant.now()));
    }
  }

  private void storeOrLook(Trigger now) throws SchedulerException {
    try {
      store(List.of(now));
    } catch (SchedulerException e) {
      look.run();
      throw e;
    }
  }

  /** Quartz need not read them to remove them; those that are missed are made. */
  private void removeOdd() throws SQLException, SchedulerException {
    List<TriggerKey> odd =
        rows.odd(CHUNK).stream()
            .map(key -> TriggerKey.triggerKey(key.name(), key.group()))
            .toList();
    if (!odd.isEmpty()) {
      LOG.warn("Somebody has changed triggers of Quartz, which are made anew: {}", odd);
      scheduler.unscheduleJobs(odd);
    }
  }

  private void follow(List<Instant> upcoming) throws SchedulerException {
    if (!scheduler.getPausedTriggerGroups().isEmpty()) {
      scheduler.resumeAll();
    }
    Set<TriggerKey> strange = new HashSet<>(scheduler.getTriggerKeys(GroupMatcher.anyGroup()));
    strange.remove(NOW);
    List<Trigger> missing = new ArrayList<>();
    for (Instant instant : upcoming) {
      TriggerKey key = TriggerKey.triggerKey(instant.toString(), GROUP);
      if (!strange.remove(key)) {
        missing.add(trigger(key, instant));
      }
    }
    for (List<Trigger> soonest : chunks(missing)) {
      store(soonest);
    }
    for (List<TriggerKey> some : chunks(strange)) {
      scheduler.unscheduleJobs(some);
    }
  }

  private static <T> List<List<T>> chunks(Collection<T> all) {
    return all.stream().gather(Gatherers.windowFixed(CHUNK)).toList();
  }

  /** Another node may have stored the same meanwhile. */
  private void store(List<Trigger> triggers) throws SchedulerException {
    scheduler.scheduleJobs(Map.of(JOB, new LinkedHashSet<>(triggers)), true);
  }

  private static Trigger trigger(TriggerKey key, Instant at) {
    return TriggerBuilder.newTrigger().withIdentity(key).forJob(JOB).startAt(Date.from(at)).build();
  }

  private static SQLException asSql(SchedulerException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    throw new IllegalStateException("Quartz: " + failure.getMessage(), failure);
  }
}
