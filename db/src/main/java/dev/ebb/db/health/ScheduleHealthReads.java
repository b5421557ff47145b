package dev.ebb.db.health;

import dev.ebb.core.health.SchemaHealth.CheckIn;
import dev.ebb.core.health.SchemaHealth.Late;
import dev.ebb.core.health.SchemaHealth.Schedules;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.node.Nodes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what schedules and Quartz's tables tell. */
final class ScheduleHealthReads {
  private static final int NODES = 1000;

  // A trigger is named after the instant for which it stands. Of a schedule that fired or changed
  // just now, it may be on its way.
  private static final String SCHEDULES =
      """
      with late as (
        select
          s.name,
          (extract(epoch from statement_timestamp() - s.next_fire_at) * 1000000)::bigint as age
        from ebb.schedule s
        where s.paused_since is null and s.next_fire_at < statement_timestamp()
        order by s.next_fire_at
        limit 1
      ), settled as (
        select s.next_fire_at as at
        from ebb.schedule s
        where s.paused_since is null
          and s.next_fire_at > statement_timestamp() + interval '10 seconds'
          and s.changed_at < statement_timestamp() - interval '10 seconds'
          and not exists (
            select from ebb.schedule_fire f
            where f.schedule = s.name and f.fire_at > statement_timestamp() - interval '1 minute')
        order by s.next_fire_at
        limit 1
      )
      select
        exists (
          select from ebb.schedule s where s.paused_since is null and s.next_fire_at is not null
        ) as awaited,
        late.name as late, late.age,
        (
          (select count(*) from ebb.qrtz_triggers t where t.trigger_state ~ '^(ERROR|PAUSED)')
          + (select count(*) from ebb.qrtz_paused_trigger_grps)
        )::int as halted,
        settled.at as missing
      from (select) one
      left join late on true
      left join settled on not exists (
        select from ebb.qrtz_triggers t
        where t.trigger_name =
          to_char(settled.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      """;

  private static final String CHECK_INS =
      """
      select
        q.instance_name as node,
        (extract(epoch from statement_timestamp()) * 1000)::bigint - q.last_checkin_time as age,
        exists (
          select from ebb.node n
          where n.name = q.instance_name and n.stopped_at is null
            and n.heartbeat_at >= statement_timestamp() - ? * interval '1 microsecond') as lives
      from ebb.qrtz_scheduler_state q
      order by q.last_checkin_time desc
      limit ?
      """;

  private ScheduleHealthReads() {}

  static Schedules schedules(Connection connection) throws SQLException {
    List<CheckIn> checkIns =
        Statements.list(
            connection,
            CHECK_INS,
            p -> p.micros(Nodes.LOST_AFTER).integer(NODES),
            row ->
                new CheckIn(
                    row.getString("node"),
                    Duration.ofMillis(row.getLong("age")),
                    row.getBoolean("lives")));
    return Statements.one(
        connection,
        SCHEDULES,
        _ -> {},
        row ->
            new Schedules(
                row.getBoolean("awaited"),
                late(row),
                row.getInt("halted"),
                Rows.instantOrNull(row, "missing"),
                checkIns));
  }

  private static @Nullable Late late(ResultSet row) throws SQLException {
    String schedule = row.getString("late");
    return schedule == null
        ? null
        : new Late(schedule, Duration.of(row.getLong("age"), ChronoUnit.MICROS));
  }
}
