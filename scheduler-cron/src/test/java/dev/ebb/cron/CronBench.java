package dev.ebb.cron;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Cron;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.TimeZones;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.schedule.Schedules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A database with schedules, and nodes that fire them. */
final class CronBench implements AutoCloseable {
  final Bench bench;
  final Schedules schedules;
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<AutoCloseable> opened = new ArrayList<>();

  CronBench() {
    this(TestPostgres.shared().newDatabase());
  }

  CronBench(DatabaseConfig config) {
    this.bench = new Bench(config);
    this.schedules = new Schedules(bench.database);
  }

  /** A node with a pool of its own. */
  ScheduleRunner node(String name) {
    Database database = TestPostgres.open(bench.config);
    ScheduleRunner runner = ScheduleRunner.start(database, name, meters);
    opened.addFirst(database);
    opened.addFirst(runner);
    return runner;
  }

  static Schedule every(String name, Duration interval) {
    return schedule(name, new Timing.Every(interval));
  }

  static Schedule cron(String name, String cron) {
    return schedule(name, new Timing.ByCron(Cron.parse(cron)));
  }

  /** One that makes a job of each misfire, one after another. */
  static Schedule queued(String name, Duration interval) {
    return schedule(
        name, new Timing.Every(interval), new Misfires(Misfires.Rule.ALL, 100), Overlap.QUEUE);
  }

  private static Schedule schedule(String name, Timing timing) {
    return schedule(name, timing, Misfires.DEFAULT, Overlap.ALLOW);
  }

  private static Schedule schedule(String name, Timing timing, Misfires misfires, Overlap overlap) {
    return new Schedule(
        name,
        timing,
        TimeZones.UTC,
        null,
        null,
        Exclusions.NONE,
        NewJob.of("echo", "{}"),
        misfires,
        overlap);
  }

  void put(Schedule schedule) throws SQLException {
    var _ = schedules.put(schedule, Bench.ACT, _ -> {});
  }

  /** Puts a schedule whose next fire is so far in the past. */
  void putDue(Schedule schedule, String ago) throws SQLException {
    put(schedule);
    bench.execute(
        """
        update ebb.schedule
        set next_fire_at = date_trunc('second', now()) - interval '%s', origin = origin - interval '1 day'
        where name = '%s'
        """
            .formatted(ago, schedule.name()));
  }

  boolean is(String condition) throws SQLException {
    return ask(condition, row -> row.getBoolean(1));
  }

  long number(String expression) throws SQLException {
    return ask(expression, row -> row.getLong(1));
  }

  String text(String expression) throws SQLException {
    return ask(expression, row -> row.getString(1));
  }

  private <T> T ask(String expression, Statements.Reading<T> reading) throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select " + expression)) {
      row.next();
      return reading.read(row);
    }
  }

  /** Waits until the condition holds; a minute at most. */
  void await(String condition) throws SQLException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!is(condition)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within a minute: " + condition);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
    bench.close();
  }
}
