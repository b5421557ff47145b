package dev.ebb.db.schedule;

import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the marks: the rows that say what became of each fire. */
final class FireRow {
  // In the order of the key: two nodes that fire the same wait for each other, and do not deadlock.
  private static final String MARK =
      """
      insert into ebb.schedule_fire (schedule, fire_at, missed, node)
      select i.schedule, i.fire_at, i.missed, ?
      from (
        select
          unnest(?::text[]) as schedule,
          unnest(?::timestamptz[]) as fire_at,
          unnest(?::bigint[]) as missed
      ) i
      order by i.schedule collate "C", i.fire_at
      on conflict do nothing
      returning schedule, fire_at
      """;

  // Never a whole second: that would be the time of a fire.
  private static final String MARK_BY_HAND =
      """
      insert into ebb.schedule_fire (schedule, fire_at, by_hand)
      select
        ?,
        case when c.now = date_trunc('second', c.now)
          then c.now + interval '1 microsecond' else c.now end,
        true
      from (select clock_timestamp() as now) c
      on conflict do nothing
      returning fire_at
      """;

  private static final String OLDEST_WAITING =
      """
      select f.fire_at
      from ebb.schedule_fire f
      where f.schedule = ? and f.result = 'waiting'
      order by f.fire_at
      limit 1
      """;

  private static final String KEEP =
      """
      update ebb.schedule_fire f
      set fired_at = clock_timestamp(), node = ?, result = i.result, job_id = i.job_id,
        error = i.error
      from (
        select
          unnest(?::text[]) as schedule,
          unnest(?::timestamptz[]) as fire_at,
          unnest(?::text[]) as result,
          unnest(?::uuid[]) as job_id,
          unnest(?::text[]) as error
      ) i
      where f.schedule = i.schedule and f.fire_at = i.fire_at
      returning f.schedule, f.fire_at, f.fired_at
      """;

  private static final String FIND =
      """
      select f.fire_at, f.fired_at, f.result, f.by_hand, f.missed, f.job_id, f.node, f.error
      from ebb.schedule_fire f
      where f.schedule = ? and f.fire_at = ?
      """;

  private FireRow() {}

  /**
   * A fire that is to be kept.
   *
   * @param missed how many earlier misfires it stands for
   */
  record Mark(String schedule, Instant fireAt, long missed) {
    FireKey key() {
      return new FireKey(schedule, fireAt);
    }
  }

  /** What became of a fire. */
  record StoredFire(
      FireKey key, FireView.Result result, @Nullable UUID jobId, @Nullable String error) {}

  /** Writes those that nobody has written, and answers which. */
  static Set<FireKey> mark(Connection connection, String node, List<Mark> marks)
      throws SQLException {
    return new HashSet<>(
        Statements.list(
            connection,
            MARK,
            p ->
                p.text(node)
                    .columns(marks)
                    .text(Mark::schedule)
                    .text(mark -> mark.fireAt().toString())
                    .longs(Mark::missed),
            FireKey::of));
  }

  /** Marks a run by hand with the present time, and answers which that is. */
  static Instant markByHand(Connection connection, String schedule) throws SQLException {
    Instant marked = null;
    while (marked == null) {
      marked =
          Statements.first(
              connection, MARK_BY_HAND, p -> p.text(schedule), row -> Rows.instant(row, "fire_at"));
    }
    return marked;
  }

  /** The fire that waits longest; {@code null} if none does. */
  static @Nullable Instant oldestWaiting(Connection connection, String schedule)
      throws SQLException {
    return Statements.first(
        connection, OLDEST_WAITING, p -> p.text(schedule), row -> Rows.instant(row, "fire_at"));
  }

  /** Writes what became of marked fires, and answers when each was served. */
  static Map<FireKey, Instant> keep(
      Connection connection, @Nullable String node, List<StoredFire> fires) throws SQLException {
    Map<FireKey, Instant> served = new HashMap<>();
    Statements.list(
            connection,
            KEEP,
            p ->
                p.text(node)
                    .columns(fires)
                    .text(fire -> fire.key().schedule())
                    .text(fire -> fire.key().fireAt().toString())
                    .text(fire -> fire.result().word())
                    .text(fire -> fire.jobId() == null ? null : fire.jobId().toString())
                    .text(StoredFire::error),
            row -> Map.entry(FireKey.of(row), Rows.instant(row, "fired_at")))
        .forEach(fire -> served.put(fire.getKey(), fire.getValue()));
    return served;
  }

  static FireView find(Connection connection, FireKey key) throws SQLException {
    return Statements.one(
        connection, FIND, p -> p.text(key.schedule()).time(key.fireAt()), FireRow::view);
  }

  static FireView view(ResultSet row) throws SQLException {
    return new FireView(
        Rows.instant(row, "fire_at"),
        Rows.instant(row, "fired_at"),
        FireView.Result.valueOf(row.getString("result").toUpperCase(Locale.ROOT)),
        row.getBoolean("by_hand"),
        row.getLong("missed"),
        row.getObject("job_id", UUID.class),
        row.getString("node"),
        row.getString("error"));
  }
}
