package dev.ebb.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The settlement of jobs that completed: one statement from the lease to the history. */
final class Complete {
  // The planner's settings keep a cached plan right, as a claim's do, and last as long as the
  // transaction. Unlike a claim, a completion waits for the disk.
  //
  // What completed needs no look before: it completes even where somebody asked for it to stop.
  // Answers those that the fence kept out. It is a transaction's last statement, and brings the
  // commit along.
  private static final String COMPLETE =
      """
      select
        set_config('lock_timeout', '250ms', true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('enable_nestloop', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('jit', 'off', true);
      with live as materialized (
        select id, node from ebb.lease where id = any (?) order by id for update
      ), told as (
        select * from unnest(
          ?::uuid[], ?::integer[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[]
        ) as t (id, version, lease_id, since_start, took, detail)
      ), done as (
        delete from ebb.job j
        using told t
        left join live l on l.id = t.lease_id
        where j.id = any (?)
          and j.id = t.id
          and j.version = t.version -- fence
          and l.id is not null -- fence
        returning
          j.id, j.queue, j.kind, j.priority, j.run_at, j.created_at, j.unique_key, j.labels,
          j.max_attempts, j.attempt, t.lease_id, t.since_start, t.took, t.detail, l.node
      ), kept as (
        insert into ebb.history (
          id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts,
          attempt, cancelled, started_at, ended_at, node, detail)
        select
          id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts,
          attempt + 1, false,
          clock_timestamp() - since_start * interval '1 microsecond',
          clock_timestamp() - (since_start - took) * interval '1 microsecond', node, detail
        from done
      ), ended as (
        delete from ebb.lease l using live where l.id = live.id and l.id = any (?)
      )
      select id, lease_id
      from told
      where (select count(*) from done) < (select count(*) from told)
        and (id, lease_id) not in (select id, lease_id from done);
      commit
      """;

  private Complete() {}

  /**
   * Writes a batch, ends leases, commits, and answers what the fence kept out.
   *
   * @param leases all that the transaction touches, to be locked
   */
  static List<Settled> complete(
      Connection connection, List<Settled> batch, List<Long> leases, Collection<Long> ended)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
      Columns<Settled> columns = Columns.of(statement, batch);
      Statements.setIds(statement, 1, leases);
      columns.ids(2, Settle::id);
      columns.ints(3, t -> t.claimed().version());
      columns.longs(4, t -> t.claimed().fencingToken());
      columns.longs(5, t -> Statements.micros(t.sinceStart()));
      columns.longs(6, t -> Statements.micros(t.took()));
      columns.text(7, Settled::detail);
      columns.ids(8, Settle::id);
      Statements.setIds(statement, 9, ended);
      Set<String> refused = new HashSet<>();
      try (ResultSet rows = Statements.secondResult(statement)) {
        while (rows.next()) {
          refused.add(hold(rows.getString(1), rows.getLong(2)));
        }
      }
      return batch.stream()
          .filter(t -> refused.contains(hold(Settle.id(t).toString(), t.claimed().fencingToken())))
          .toList();
    }
  }

  private static String hold(String job, long token) {
    return job + " " + token;
  }
}
