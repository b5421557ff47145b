package dev.ebb.db.settle;

import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.event.EventClauses;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The settlement of jobs that completed: one statement from the lease to the history. */
public final class Complete {
  // A job that completed is not read first: it completes even if somebody asked for it to stop.
  // Returns the jobs that the fence kept out. It is a transaction's last statement, and carries the
  // commit.
  //
  // What completes is counted by who sends it: only if the fence kept some out, which is rare, must
  // it be counted here.
  private static final String SOME_DONE =
      "done where (select count(*) from done) < (select count(*) from told)";

  private static final String ENDED_AT =
      "clock_timestamp() - (since_start - took) * interval '1 microsecond'";

  private static final String COMPLETE =
      SettleSettings.BEGIN
          + """
          with live as materialized (
            select id as lease, node, short_since, short_until
            from ebb.lease
            where id = any (?)
            order by id
            for update
          ), told as (
            select * from unnest(
              ?::uuid[], ?::integer[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[]
            ) as t (job_id, version, lease_id, since_start, took, detail)
          ), done as (
            delete from ebb.job j
            using told t
            left join live l on l.lease = t.lease_id
            where j.id = any (?)
              and j.id = t.job_id
              and j.version = t.version -- fence
              and l.lease is not null -- fence
            returning
              %1$s, j.attempt, t.lease_id, t.since_start, t.took, t.detail, l.node,
              l.short_since, l.short_until
          ), kept as (
            insert into ebb.history (
              %1$s, attempt, cancelled, started_at, ended_at, node, detail,
              short_since, short_until, recorded_at)
            select
              %1$s, attempt + 1, false,
              clock_timestamp() - since_start * interval '1 microsecond',
              %5$s, node, detail, short_since, short_until, clock_timestamp()
            from done
            returning id, ended_at, queue, kind
          ), delivered as (
            %7$s
          ), ended as (
            delete from ebb.lease l using live where l.id = live.lease and l.id = any (?)
          ), told_of as (
            %6$s
          ), tallied as (
            %2$s
            %3$s
            where (select count(*) from done) = (select count(*) from told)
          ), tallied_of_some as (
            %4$s
          )
          select job_id, lease_id
          from told
          where (select count(*) from done) < (select count(*) from told)
            and (job_id, lease_id) not in (select id, lease_id from done);
          commit
          """
              .formatted(
                  KeptColumns.IN_HISTORY,
                  Tally.INSERT,
                  Tally.ROWS,
                  Tally.timed(Counter.COMPLETED, SOME_DONE, "took * interval '1 microsecond'"),
                  ENDED_AT,
                  EventClauses.completed("done", ENDED_AT),
                  Delivered.OF_KEPT);

  private Complete() {}

  /**
   * Writes a batch, ends leases, commits, and answers what the fence kept out.
   *
   * @param leases all that the transaction touches, to be locked
   */
  static List<FinishedAttempt> complete(
      Connection connection, List<FinishedAttempt> batch, List<Long> leases, Collection<Long> ended)
      throws SQLException {
    Set<FinishedAttempt.Claim> refused = new HashSet<>();
    Statements.eachBehindSettings(
        connection,
        COMPLETE,
        p -> {
          p.leases(leases)
              .columns(batch)
              .ids(FinishedAttempt::jobId)
              .ints(t -> t.claimed().version())
              .longs(t -> t.claimed().fencingToken())
              .longs(t -> Rows.micros(t.sinceStart()))
              .longs(t -> Rows.micros(t.took()))
              .text(FinishedAttempt::detail)
              .ids(FinishedAttempt::jobId);
          p.leases(ended);
          tally(batch).bind(p);
        },
        row -> refused.add(FinishedAttempt.Claim.read(row)));
    return batch.stream().filter(t -> refused.contains(t.claim())).toList();
  }

  private static Tally tally(List<FinishedAttempt> batch) {
    Tally tally = new Tally();
    batch.forEach(t ->
        tally.add(
            Counter.COMPLETED, t.claimed().job().queue(), t.claimed().job().kind(), t.took()));
    return tally;
  }
}
