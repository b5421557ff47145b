package dev.ebb.db;

import static dev.ebb.db.Statements.bind;

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
  // The settings are the claim's, for the same reason, and last as long as the transaction.
  //
  // What completed needs no look before: it completes even where somebody asked for it to stop.
  // Answers those that the fence kept out.
  private static final String COMPLETE =
      """
      select
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('enable_nestloop', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('jit', 'off', true);
      with live as materialized (
        select id from ebb.lease where id = any (?) order by id for update
      ), told as (
        select * from unnest(
          ?::uuid[], ?::integer[], ?::bigint[], ?::integer[], ?::bigint[], ?::bigint[], ?::text[],
          ?::text[]
        ) as t (id, version, lease_id, number, since_start, took, node, detail)
      ), done as (
        delete from ebb.job j
        using told t
        where j.id = any (?)
          and j.id = t.id
          and j.version = t.version -- fence
          and t.lease_id in (select id from live) -- fence
        returning j.*, t.lease_id, t.number, t.since_start, t.took, t.node, t.detail
      ), kept as (
        insert into ebb.history (
          id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts,
          attempt, cancelled, started_at, ended_at, node, detail)
        select
          id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts,
          number, false,
          clock_timestamp() - since_start * interval '1 microsecond',
          clock_timestamp() - (since_start - took) * interval '1 microsecond', node, detail
        from done
      ), ended as (
        delete from ebb.lease l using live where l.id = live.id and l.id = any (?)
      )
      select id, lease_id from told where (id, lease_id) not in (select id, lease_id from done)
      """;

  private Complete() {}

  /**
   * Writes a batch, ends leases, and answers what the fence kept out.
   *
   * @param leases all that the transaction touches, to be locked
   */
  static List<Settled> complete(
      Connection connection, List<Settled> batch, List<Long> leases, Collection<Long> ended)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
      statement.setArray(1, connection.createArrayOf("bigint", leases.toArray()));
      bind(statement, 2, "uuid", batch, Settle::id);
      bind(statement, 3, "integer", batch, t -> t.claimed().version());
      bind(statement, 4, "bigint", batch, t -> t.claimed().fencingToken());
      bind(statement, 5, "integer", batch, t -> t.claimed().job().attempt());
      bind(statement, 6, "bigint", batch, t -> Arrays.micros(t.sinceStart()));
      bind(statement, 7, "bigint", batch, t -> Arrays.micros(t.took()));
      bind(statement, 8, "text", batch, Settled::node);
      bind(statement, 9, "text", batch, Settled::detail);
      bind(statement, 10, "uuid", batch, Settle::id);
      statement.setArray(11, connection.createArrayOf("bigint", ended.toArray()));
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
