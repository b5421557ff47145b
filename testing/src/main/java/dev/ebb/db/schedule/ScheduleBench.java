package dev.ebb.db.schedule;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Cron;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.Bench;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database of its own with schedules, for the tests of their verbs and fires. */
public final class ScheduleBench implements AutoCloseable {
  public static final NewJob ECHO = NewJob.of("echo", "{}");
  public static final Timing HOURLY = new Timing.Every(Duration.ofHours(1));
  static final Timing MINUTELY = new Timing.Every(Duration.ofMinutes(1));

  public final Bench jobs;
  public final Schedules schedules;
  public final Firing firing;

  public ScheduleBench() {
    this(new Bench());
  }

  public ScheduleBench(DatabaseConfig config) {
    this(new Bench(config));
  }

  private ScheduleBench(Bench jobs) {
    this.jobs = jobs;
    this.schedules = new Schedules(jobs.database);
    this.firing = new Firing(jobs.database, "node");
  }

  /** A schedule with every default. */
  public static Schedule schedule(String name, Timing timing) {
    return schedule(name, timing, Misfires.DEFAULT, Overlap.ALLOW);
  }

  public static Schedule schedule(String name, Timing timing, Misfires misfires, Overlap overlap) {
    return new Schedule(
        name, timing, ZoneId.of("UTC"), null, null, Exclusions.NONE, ECHO, misfires, overlap);
  }

  /** The same with another template. */
  public static Schedule with(Schedule schedule, NewJob template) {
    return new Schedule(
        schedule.name(),
        schedule.timing(),
        schedule.zone(),
        schedule.startAt(),
        schedule.endAt(),
        schedule.exclusions(),
        template,
        schedule.misfires(),
        schedule.overlap());
  }

  static Schedule between(Schedule schedule, @Nullable Instant start, @Nullable Instant end) {
    return new Schedule(
        schedule.name(),
        schedule.timing(),
        schedule.zone(),
        start,
        end,
        schedule.exclusions(),
        schedule.template(),
        schedule.misfires(),
        schedule.overlap());
  }

  static Timing cron(String text) {
    return new Timing.ByCron(Cron.parse(text));
  }

  static ZoneId zone(String id) {
    return ZoneId.of(id);
  }

  public ScheduleView put(Schedule schedule) throws SQLException {
    return schedules.put(schedule, Bench.ACT, _ -> {}).schedule();
  }

  public ScheduleView find(String name) throws SQLException {
    return schedules.find(name).orElseThrow();
  }

  public List<FireView> fires(String name) throws SQLException {
    return schedules.fires(name, null, 1_000).fires();
  }

  /** Fires what is due. */
  public FireTally fireDue() throws SQLException {
    FireTally fired = new FireTally();
    firing.fireDue(fired);
    return fired;
  }

  /** Starts what waits. */
  public FireTally startWaiting() throws SQLException {
    return startWaiting(firing);
  }

  static FireTally startWaiting(Firing firing) throws SQLException {
    FireTally fired = new FireTally();
    firing.startWaiting(fired);
    return fired;
  }

  /** As if it had been created so long ago, and nobody had fired it since. */
  public void stopped(String name, Duration age) throws SQLException {
    stopped(name, age, age);
  }

  /** As if it had been created then, and nobody had fired it since a later time. */
  public void stopped(String name, Duration created, Duration since) throws SQLException {
    jobs.execute(
        """
        update ebb.schedule
        set origin = date_trunc('second', now()) - interval '%s',
          next_fire_at = date_trunc('second', now()) - interval '%s'
        where name = '%s'
        """
            .formatted(created, since, name));
  }

  @Override
  public void close() {
    jobs.close();
  }
}
