package dev.ebb.cron;

import dev.ebb.db.Bench;
import java.sql.SQLException;

/**
 * A checker over what the database remembers of intervals with the misfire rule {@code once}, from
 * when it is made: each of their fire times has one mark and one job, or is one of the misfires for
 * which a mark stands. No worker may run, so that no job leaves its table.
 */
final class FireCheck {
  /** Beyond a minute by what a transaction may take between its look at the clock and its marks. */
  private static final String LATE = "interval '75 seconds'";

  private static final String MARKED_TWICE =
      """
      (select from ebb.schedule_fire group by schedule, fire_at having count(*) > 1) x
      """;

  private static final String MADE_TWICE =
      """
      (
        select from ebb.job
        group by labels ->> 'schedule', labels ->> 'fireAt'
        having count(*) > 1) x
      """;

  /** Marks that did not make the job that bears their time, and jobs without a mark. */
  private static final String UNLIKE =
      """
      ebb.schedule_fire f
      full join ebb.job j
        on j.labels ->> 'schedule' = f.schedule
          and (j.labels ->> 'fireAt')::timestamptz = f.fire_at
      where (f.result = 'submitted' and f.job_id = j.id) is not true
      """;

  /** Where the times behind a mark, less those for which the next one stands, are not its own. */
  private static final String GAPS =
      """
      (
        select schedule, fire_at, missed from ebb.schedule_fire
        union all
        select name, next_fire_at, 0 from ebb.schedule
      ) f (schedule, fire_at, missed)
      join public.first_fire s on s.name = f.schedule
      cross join lateral (
        select coalesce(max(b.fire_at) + s.every, s.first) as expected
        from ebb.schedule_fire b
        where b.schedule = f.schedule and b.fire_at < f.fire_at
      ) b
      where f.fire_at - f.missed * s.every <> b.expected
      """;

  /** Marks that stand for others although they came on time. */
  private static final String MISCOUNTED =
      """
      ebb.schedule_fire where missed > 0 and fired_at - fire_at < interval '60 seconds'
      """;

  /** Schedules of whose misfires more than one made a job. */
  private static final String MISFIRED_TWICE =
      """
      (
        select from ebb.schedule_fire
        where fired_at - fire_at > %s
        group by schedule
        having count(*) > 1) x
      """
          .formatted(LATE);

  private final Bench bench;

  /**
   * What was found.
   *
   * @param marks fires that were marked
   * @param missed fire times for which those stand
   */
  record Findings(
      long marks,
      long jobs,
      long missed,
      long markedTwice,
      long madeTwice,
      long unlike,
      long gaps,
      long miscounted,
      long misfiredTwice) {
    boolean isSound() {
      return markedTwice + madeTwice + unlike + gaps + miscounted + misfiredTwice == 0;
    }
  }

  /** Remembers when the schedules that are there fire next. */
  FireCheck(Bench bench) throws SQLException {
    this.bench = bench;
    bench.execute(
        """
        create table public.first_fire as
        select name, next_fire_at as first, every_seconds * interval '1 second' as every
        from ebb.schedule
        """);
  }

  /** To be asked while nobody fires. */
  Findings findings() throws SQLException {
    return new Findings(
        bench.count("ebb.schedule_fire"),
        bench.count("ebb.job"),
        bench.count("ebb.schedule_fire f cross join generate_series(1, f.missed)"),
        bench.count(MARKED_TWICE),
        bench.count(MADE_TWICE),
        bench.count(UNLIKE),
        bench.count(GAPS),
        bench.count(MISCOUNTED),
        bench.count(MISFIRED_TWICE));
  }
}
