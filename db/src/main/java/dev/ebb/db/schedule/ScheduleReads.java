package dev.ebb.db.schedule;

import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads schedules and their fires, as people see them. */
final class ScheduleReads {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleReads.class);

  private static final String VIEW =
      """
      %s,
      s.version, s.origin, s.next_fire_at, s.waiting,
      s.paused_since, s.paused_by, s.pause_reason, s.created_at, s.changed_at,
      f.fire_at, f.fired_at, f.result, f.by_hand, f.missed, f.job_id, f.node, f.error\
      """
          .formatted(ScheduleRow.SETTINGS);

  private static final String LAST =
      """
      left join lateral (
        select *
        from ebb.schedule_fire x
        where x.schedule = s.name
        order by x.fire_at desc
        limit 1
      ) f on true\
      """;

  private static final String FIND =
      """
      select %s
      from ebb.schedule s
      %s
      where s.name = ?
      """
          .formatted(VIEW, LAST);

  private static final String LOCK =
      """
      select %s
      from ebb.schedule s
      %s
      where s.name = ?
      for update of s
      """
          .formatted(VIEW, LAST);

  private static final String PAGE =
      """
      select %s
      from (
        select * from ebb.schedule where name > ? order by name limit ?
      ) s
      %s
      order by s.name
      """
          .formatted(VIEW, LAST);

  private static final String FIRES =
      """
      select f.fire_at, f.fired_at, f.result, f.by_hand, f.missed, f.job_id, f.node, f.error
      from ebb.schedule_fire f
      where f.schedule = ? and f.fire_at < coalesce(?, 'infinity'::timestamptz)
      order by f.fire_at desc
      limit ?
      """;

  private static final String NOW =
      """
      select statement_timestamp() as now
      """;

  private ScheduleReads() {}

  static @Nullable ScheduleView find(Connection connection, String name) throws SQLException {
    return Statements.first(connection, FIND, p -> p.text(name), ScheduleReads::view);
  }

  /** Locks the row until the transaction ends; {@code null} if there is none. */
  static @Nullable ScheduleView lock(Connection connection, String name) throws SQLException {
    return Statements.first(connection, LOCK, p -> p.text(name), ScheduleReads::view);
  }

  /** What a newer version wrote and this one cannot read is left out. */
  static SchedulePage page(Connection connection, String after, int limit) throws SQLException {
    List<ScheduleView> page = new ArrayList<>();
    List<String> names =
        Statements.list(
            connection,
            PAGE,
            p -> p.text(after).integer(limit + 1),
            row -> {
              addReadable(page, row);
              return row.getString("name");
            });
    if (names.size() <= limit) {
      return new SchedulePage(page, null);
    }
    page.removeIf(view -> view.schedule().name().equals(names.get(limit)));
    return new SchedulePage(page, names.get(limit - 1));
  }

  private static void addReadable(List<ScheduleView> page, ResultSet row) throws SQLException {
    try {
      page.add(view(row));
    } catch (RuntimeException unknown) {
      LOG.error("this version cannot read schedule {}", row.getString("name"), unknown);
    }
  }

  static FirePage fires(Connection connection, String name, @Nullable Instant before, int limit)
      throws SQLException {
    List<FireView> fires =
        Statements.list(
            connection, FIRES, p -> p.text(name).time(before).integer(limit + 1), FireRow::view);
    return fires.size() <= limit
        ? new FirePage(fires, null)
        : new FirePage(fires.subList(0, limit), fires.get(limit - 1).fireAt());
  }

  static Instant now(Connection connection) throws SQLException {
    return Statements.one(connection, NOW, _ -> {}, row -> Rows.instant(row, "now"));
  }

  private static ScheduleView view(ResultSet row) throws SQLException {
    return new ScheduleView(
        ScheduleRow.schedule(row),
        row.getLong("version"),
        Rows.instant(row, "origin"),
        Rows.instantOrNull(row, "next_fire_at"),
        row.getObject("fire_at") == null ? null : FireRow.view(row),
        row.getInt("waiting"),
        pause(row),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "changed_at"));
  }

  private static ScheduleView.@Nullable Pause pause(ResultSet row) throws SQLException {
    Instant since = Rows.instantOrNull(row, "paused_since");
    return since == null
        ? null
        : new ScheduleView.Pause(since, row.getString("paused_by"), row.getString("pause_reason"));
  }
}
