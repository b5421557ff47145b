package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Fire;
import dev.ebb.core.schedule.FireTimes;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings near the next fires that were computed while the database's clock ran ahead: until it has
 * caught up, such a schedule would stand still.
 *
 * <p>The marks of the fires that were served meanwhile stay. When their times come, they make no
 * second job.
 */
final class SetBack {
  private static final int BATCH = 500;

  private static final String READ =
      """
      select
        %s, s.created_at, s.version, s.origin, s.next_fire_at, clock_timestamp() as now
      from ebb.schedule s
      where s.name > ?
        and s.paused_since is null
        and s.next_fire_at > clock_timestamp()
      order by s.name
      limit ?
      """
          .formatted(ScheduleRow.SETTINGS);

  // What was fired or changed since it was read, or is at this instant, is left alone.
  private static final String BRING_NEAR =
      """
      with far as materialized (
        select
          unnest(?::text[]) as name,
          unnest(?::bigint[]) as version,
          unnest(?::timestamptz[]) as created_at,
          unnest(?::timestamptz[]) as next_fire_at,
          unnest(?::timestamptz[]) as first
      ), locked as materialized (
        select s.name, far.first
        from ebb.schedule s
        join far on far.name = s.name
        where s.version = far.version
          and s.created_at = far.created_at
          and s.next_fire_at = far.next_fire_at
          and s.paused_since is null
        for no key update of s skip locked
      )
      update ebb.schedule s
      set next_fire_at = locked.first
      from locked
      where s.name = locked.name
      """;

  private SetBack() {}

  /** A schedule whose next fire lies behind the first one after now. */
  private record Far(
      String name, long version, Instant createdAt, Instant nextFireAt, Instant first) {}

  /** What a batch of schedules came to. */
  private static final class Batch {
    private final List<Far> far = new ArrayList<>();
    private int rows;
    private String last = "";

    /** One that this version cannot read stays as it is. */
    private Batch add(ResultSet row) throws SQLException {
      rows++;
      last = row.getString("name");
      try {
        Instant next = Rows.instant(row, "next_fire_at");
        Schedule schedule = ScheduleRow.schedule(row);
        Fire first =
            FireTimes.next(schedule, Rows.instant(row, "origin"), Rows.instant(row, "now"));
        if (first != null && first.at().isBefore(next)) {
          far.add(
              new Far(
                  last, row.getLong("version"), Rows.instant(row, "created_at"), next, first.at()));
        }
        return this;
      } catch (RuntimeException _) {
        return this;
      }
    }
  }

  /**
   * Brings near those behind that name, at most a batch; answers the last name that was looked at,
   * {@code ""} if there are no more.
   *
   * @param mended to which the names of those are added that stood still
   */
  static String bringNear(Connection connection, String after, List<String> mended)
      throws SQLException {
    Batch batch = new Batch();
    var _ = Statements.list(connection, READ, p -> p.text(after).integer(BATCH), batch::add);
    if (!batch.far.isEmpty()) {
      Statements.update(
          connection,
          BRING_NEAR,
          p ->
              p.columns(batch.far)
                  .text(Far::name)
                  .longs(Far::version)
                  .text(far -> far.createdAt().toString())
                  .text(far -> far.nextFireAt().toString())
                  .text(far -> far.first().toString()));
      batch.far.forEach(far -> mended.add(far.name()));
    }
    return batch.rows < BATCH ? "" : batch.last;
  }
}
