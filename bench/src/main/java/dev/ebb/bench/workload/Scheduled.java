package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.contender.EbbContender;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.TimeZones;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.connection.Database;
import dev.ebb.db.schedule.Schedules;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A drain during which many schedules fire at one instant, and in another database the same drain
 * without schedules, by turns. The jobs of the schedules wait in a queue that the node does not
 * serve.
 */
record Scheduled() implements OfEbb {
  private static final int SCHEDULES = 2_000;
  private static final int PAIRS = 2;

  /** Not counted: the first drains compile what the later ones run. */
  private static final int WARM_UPS = 1;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);
  private static final String QUEUE = "scheduled";

  private static final String FORGET =
      """
      delete from ebb.schedule_fire;
      delete from ebb.job
      """;

  /** All at once, in the drain's second second. */
  private static final String FIRE_SOON =
      """
      update ebb.schedule
      set origin = at, next_fire_at = at
      from (select date_trunc('second', clock_timestamp()) + interval '2 seconds' as at) soon
      """;

  private static final String FIRED =
      """
      select count(*)
      from ebb.schedule_fire
      where result = 'submitted'
      """;

  private static final String LATE_MICROS =
      """
      select string_agg((extract(epoch from fired_at - fire_at) * 1000000)::bigint::text, ' ')
      from ebb.schedule_fire
      """;

  @Override
  public String id() {
    return "schedules";
  }

  @Override
  public String sentence() {
    return "No-op jobs that were stored before, on a node that meanwhile fires "
        + String.format(Locale.ROOT, "%,d schedules of", SCHEDULES)
        + " each minute, all at one instant in the drain's second second, by turns with the same"
        + " jobs alone in another database: %s pairs, each first as often, and the ratio of their"
            .formatted(PAIRS)
        + " sums. p50 and p99 are how long after its time a fire was stored. A drain takes seconds:"
        + " it bears the fires of a whole minute.";
  }

  @Override
  public double warmUp() {
    return 0.1;
  }

  /** What the drains took in sum. */
  private static final class Sums {
    private double seconds;
    private double alone;
    private double fired;
    private final List<Integer> lateMicros = new ArrayList<>();

    Map<Figure, Double> figures(int jobs) {
      return Figures.of(
          Map.of(
              Figure.JOBS, (double) jobs,
              Figure.RATE, PAIRS * jobs / seconds,
              Figure.ALONE, PAIRS * jobs / alone,
              Figure.RATIO, alone / seconds,
              Figure.FIRED, fired / PAIRS,
              Figure.P50, Stats.percentile(lateMicros, 0.5) / 1000,
              Figure.P99, Stats.percentile(lateMicros, 0.99) / 1000));
    }
  }

  @Override
  public Map<Figure, Double> run(Round among) throws Exception {
    int jobs = among.scaled(among.sizes().drain());
    int schedules = among.scaled(SCHEDULES);
    Sums sums = new Sums();
    try (Round alone = among.beside()) {
      alone.prepare(jobs, 1, 0);
      among.prepare(jobs, 1, 0);
      store(among, schedules);
      for (int pair = 0; pair < WARM_UPS + PAIRS; pair++) {
        Sums kept = pair < WARM_UPS ? new Sums() : sums;
        boolean isEven = pair % 2 == 0;
        if (isEven) {
          drainAlone(alone, jobs, kept);
        }
        drainBeside(among, jobs, schedules, kept);
        if (!isEven) {
          drainAlone(alone, jobs, kept);
        }
      }
      alone.checkTables(jobs * (WARM_UPS + PAIRS));
      among.checkTables(jobs * (WARM_UPS + PAIRS));
    }
    return sums.figures(jobs);
  }

  private static void store(Round round, int schedules) throws SQLException {
    Schedule one =
        new Schedule(
            "schedule-1",
            new Timing.Every(Duration.ofMinutes(1)),
            TimeZones.UTC,
            null,
            null,
            Exclusions.NONE,
            NewJob.builder("bench", "{}").queue(QUEUE).build(),
            Misfires.DEFAULT,
            Overlap.ALLOW);
    try (Database database = Database.open(EbbContender.config(round.target()))) {
      var _ = new Schedules(database).put(one, Act.onMachine("bench"), _ -> {});
    }
    String copies =
        """
        insert into ebb.schedule
        select (jsonb_populate_record(s, jsonb_build_object('name', 'schedule-' || n))).*
        from ebb.schedule s
        cross join generate_series(2, %s) n
        """
            .formatted(schedules);
    round.execute(copies);
  }

  private static void drainAlone(Round round, int jobs, Sums sums) throws Exception {
    round.open();
    Meter meter = Drain.begin(round, jobs);
    round.awaitSucceeded(jobs, LOOK_EVERY);
    meter.end();
    sums.alone += meter.seconds();
    leave(round, jobs, 0);
  }

  private static void drainBeside(Round round, int jobs, int schedules, Sums sums)
      throws Exception {
    round.execute(FORGET);
    round.open();
    Meter meter = Drain.begin(round, jobs);
    round.execute(FIRE_SOON);
    var _ = round.first().ask(new Request.Fire());
    round.awaitSucceeded(jobs, LOOK_EVERY);
    meter.end();
    sums.seconds += meter.seconds();
    sums.fired += fired(round);
    awaitFired(round, schedules);
    sums.lateMicros.addAll(lateMicros(round));
    leave(round, jobs, schedules);
  }

  private static void leave(Round round, int jobs, int schedules) throws Exception {
    List<Integer> runs = round.runs();
    round.leave();
    round.checkRuns(jobs, runs);
    round.checkStored(schedules);
  }

  private static void awaitFired(Round round, int schedules) throws IOException, SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long fired = fired(round);
    while (fired < schedules) {
      long now = fired;
      CheckFailed.after(deadline, () -> now + " of " + schedules + " schedules fired");
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      fired = fired(round);
    }
  }

  private static long fired(Round round) throws SQLException {
    try (Connection eyes = round.connect()) {
      return Sql.number(eyes, FIRED);
    }
  }

  private static List<Integer> lateMicros(Round round) throws SQLException {
    try (Connection eyes = round.connect()) {
      return Stream.of(Sql.text(eyes, LATE_MICROS).split(" ")).map(Integer::valueOf).toList();
    }
  }
}
