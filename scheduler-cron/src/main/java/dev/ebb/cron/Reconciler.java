package dev.ebb.cron;

import dev.ebb.db.schedule.Firing;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;

/**
 * Makes Quartz's triggers follow the schedules: one for each of the next instants at which any of
 * them fires, and no other.
 *
 * <p>It mends what was changed behind its back. A trigger that is missing is made, one that belongs
 * to no schedule is removed, a group that was paused is resumed. Where a schedule has been due for
 * a second, because a node died with its trigger or a trigger was moved, one is made for now.
 */
final class Reconciler {
  /** Of instants; those behind them come nearer. */
  private static final int MOST = 1_000;

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final String GROUP = "ebb";
  private static final TriggerKey NOW = TriggerKey.triggerKey("now", GROUP);

  private static final JobDetail JOB =
      JobBuilder.newJob(FireJob.class).withIdentity("fire", GROUP).storeDurably().build();

  private final Firing firing;
  private final Scheduler scheduler;

  Reconciler(Firing firing, Scheduler scheduler) {
    this.firing = firing;
    this.scheduler = scheduler;
  }

  /** Once; answers when to do it again. */
  Duration step() throws SQLException {
    try {
      follow(firing.upcoming(MOST));
      if (firing.overdue()) {
        store(Set.of(trigger(NOW, Instant.now())));
      }
      return EVERY;
    } catch (SchedulerException e) {
      throw asSql(e);
    }
  }

  private void follow(List<Instant> upcoming) throws SchedulerException {
    if (!scheduler.getPausedTriggerGroups().isEmpty()) {
      scheduler.resumeAll();
    }
    Set<TriggerKey> strange = new HashSet<>(scheduler.getTriggerKeys(GroupMatcher.anyGroup()));
    strange.remove(NOW);
    Set<Trigger> missing = new HashSet<>();
    for (Instant instant : upcoming) {
      TriggerKey key = TriggerKey.triggerKey(instant.toString(), GROUP);
      if (!strange.remove(key)) {
        missing.add(trigger(key, instant));
      }
    }
    if (!missing.isEmpty()) {
      store(missing);
    }
    if (!strange.isEmpty()) {
      scheduler.unscheduleJobs(new ArrayList<>(strange));
    }
  }

  /** Another node may have stored the same meanwhile. */
  private void store(Set<Trigger> triggers) throws SchedulerException {
    scheduler.scheduleJobs(Map.of(JOB, triggers), true);
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
