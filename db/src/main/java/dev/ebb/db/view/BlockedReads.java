package dev.ebb.db.view;

import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.view.BlockedKeys.BlockedKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the blocked keys of a queue: it steps from key to key along the index of what is parked, so
 * that its cost grows with the keys, and not with the jobs behind them.
 */
final class BlockedReads {
  /** How many keys are stepped through, at most: the first ones by name. */
  static final int MOST_KEYS = 10_000;

  /** How many of them are told, at most. */
  static final int SHOWN = 100;

  /** How many jobs behind a key are counted, at most. */
  static final int MOST_WAITING = 1_000;

  private static final String FIND =
      """
      with step as materialized (
        select k.key, k.place from ebb.parked_keys(?, ?) k
      ), found as materialized (
        select s.key, n.since
        from step s
        cross join lateral (
          select j.held_run_at as since
          from ebb.job j
          where j.queue = ?
            and j.ordering_key = s.key
            and j.blocked_version = j.version
            and j.held_until > statement_timestamp()
          order by j.held_until desc, j.ordering_number
          limit 1
        ) n
        where s.place <= ?
      ), longest as materialized (
        select * from found order by since, key limit ?
      )
      select
        now() as as_of, (select count(*) from found) as blocked_keys,
        exists (select from step s where s.place > ?) as cut,
        b.key, b.since, b.blocks_until,
        b.waiting, %1$s, null as payload
      from (select) as one
      left join (
        select
          l.key, l.since, h.blocks_until,
          (
            select count(*)
            from (
              select
              from ebb.job j
              where j.queue = ?
                and j.ordering_key = l.key
                and j.blocked_version = j.version
                and j.held_until > statement_timestamp()
              order by j.held_until desc, j.ordering_number
              limit ?
            ) parked
          ) as waiting,
          v.*
        from longest l
        cross join lateral (
          select j.id as first, j.blocks_until
          from ebb.job j
          where j.queue = ?
            and j.ordering_key = l.key
            and (j.blocks_until is null or j.blocks_until > statement_timestamp())
          order by j.ordering_number
          limit 1
        ) h
        -- With the offset, each job is looked up.
        cross join lateral (select * from ebb.every_job e where e.id = h.first offset 0) v
      ) b on true
      order by b.since, b.key
      """
          .formatted(JobView.IN_LISTS);

  /** A row: no key where none is blocked. */
  private record Row(Instant asOf, int keys, boolean cut, @Nullable BlockedKey key) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          Rows.instant(row, "as_of"),
          row.getInt("blocked_keys"),
          row.getBoolean("cut"),
          row.getString("key") == null ? null : key(row));
    }

    private static BlockedKey key(ResultSet row) throws SQLException {
      int waiting = row.getInt("waiting");
      return new BlockedKey(
          row.getString("key"),
          Rows.instant(row, "since"),
          Rows.instantOrNull(row, "blocks_until"),
          Math.min(waiting, MOST_WAITING),
          waiting <= MOST_WAITING,
          JobView.listed(row));
    }
  }

  private BlockedReads() {}

  static BlockedKeys of(Connection connection, String queue) throws SQLException {
    return of(connection, queue, MOST_KEYS);
  }

  /** The same of so many keys at most. */
  static BlockedKeys of(Connection connection, String queue, int most) throws SQLException {
    List<Row> rows = Statements.list(connection, FIND, p -> bind(p, queue, most), Row::read);
    Row any = rows.getFirst();
    return new BlockedKeys(
        any.asOf(),
        any.keys(),
        !any.cut(),
        rows.stream().map(Row::key).filter(Objects::nonNull).toList());
  }

  private static void bind(Parameters parameters, String queue, int most) throws SQLException {
    // The queue stands wherever the index is searched: with a join in its place, jobs are sorted.
    parameters.text(queue).integer(most + 1);
    parameters.text(queue).integer(most).integer(SHOWN).integer(most);
    parameters.text(queue).integer(MOST_WAITING + 1).text(queue);
  }
}
