package dev.ebb.db.settle;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedRow;
import dev.ebb.db.connection.Columns;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.event.EventClauses;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settlements that do not complete a job, a statement for each kind: back to the queue, to the
 * dead letters, or cancelled; and the attempts that they end.
 */
public final class SettleOthers {
  private static final String PUT_BACK =
      """
      update ebb.job j
      set version = j.version + 1,
        attempt = j.attempt + t.attempts,
        snoozes = j.snoozes + t.snoozes,
        last_delay_micros = coalesce(t.drawn_micros, j.last_delay_micros),
        redriven_at = case
          when t.attempts + t.snoozes > 0 then nullif(%s, j.created_at)
          else j.redriven_at
        end,
        run_at = coalesce(clock_timestamp() + t.delay_micros * interval '1 microsecond', j.run_at)
      from unnest(
        ?::uuid[], ?::integer[], ?::integer[], ?::integer[], ?::bigint[], ?::bigint[]
      ) as t (id, version, attempts, snoozes, delay_micros, drawn_micros)
      where j.id = any (?)
        and j.id = t.id
        and j.version = t.version -- fence
      """
          .formatted(ClaimedRow.BUDGET_FROM);

  private static final String DEAD_LETTER =
      """
      with dead as (
        delete from ebb.job j
        using unnest(
          ?::uuid[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[]
        ) as t (id, version, reason, failure_reason, failure, since_start, node)
        where j.id = any (?)
          and j.id = t.id
          and j.version = t.version -- fence
        returning j.*, t.reason, t.failure_reason, t.failure, t.since_start, t.node
      )
      insert into ebb.dead_letter (
        %1$s, run_at, redriven_at, version, attempt,
        reason, failure_reason, failure, started_at, node)
      select
        %1$s, run_at, redriven_at, version + 1, attempt + 1,
        reason, failure_reason, failure,
        clock_timestamp() - since_start * interval '1 microsecond', node
      from dead
      """
          .formatted(KeptColumns.IN_DEAD_LETTER);

  private static final String CANCEL =
      """
      with cancelled as (
        delete from ebb.job j
        using unnest(?::uuid[], ?::integer[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
          as t (id, version, lease_id, since_start, node, detail)
        left join ebb.lease l on l.id = t.lease_id and l.id = any (?)
        where j.id = any (?)
          and j.id = t.id
          and j.version = t.version -- fence
        returning j.*, t.since_start, t.node, t.detail, l.short_since, l.short_until
      ), kept as (
        insert into ebb.history (
          %1$s, attempt, cancelled, started_at, node, detail, short_since, short_until,
          recorded_at)
        select
          %2$s, attempt + 1, true,
          clock_timestamp() - since_start * interval '1 microsecond', node, detail,
          short_since, short_until, clock_timestamp()
        from cancelled
        returning id, ended_at, queue, kind
      )
      %3$s
      """
          .formatted(KeptColumns.IN_HISTORY, KeptColumns.TO_HISTORY, Delivered.OF_KEPT);

  private static final String ENDED_AT =
      "clock_timestamp() - (since_start - took) * interval '1 microsecond'";

  private static final String RECORD_ATTEMPTS =
      """
      with tallied as (
        %1$s
        %2$s
      ), attempts as materialized (
        select *
        from unnest(
          ?::uuid[], ?::integer[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
          ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[]
        ) as t (
          id, number, lease_id, outcome, failure_reason, failure, since_start, took, node, detail,
          told, queue)
      ), told as (
        %3$s
      ), recorded as (
        insert into ebb.attempt (
          job_id, number, outcome, failure_reason, failure, started_at, ended_at, node, detail,
          due_at, short_since, short_until, recorded_at)
        select
          a.id, a.number, a.outcome, a.failure_reason, a.failure,
          clock_timestamp() - a.since_start * interval '1 microsecond', %4$s, a.node, a.detail,
          greatest(j.run_at, j.created_at), l.short_since, l.short_until, clock_timestamp()
        from attempts a
        left join ebb.job j on j.id = a.id and j.id = any (?)
        left join ebb.lease l on l.id = a.lease_id and l.id = any (?)
        returning job_id, number, ended_at
      )
      insert into ebb.delivered (ended_at, job_id, queue)
      select r.ended_at, r.job_id, a.queue
      from recorded r
      join attempts a on a.id = r.job_id and a.number = r.number
      where a.queue is not null
      """
          .formatted(
              Tally.INSERT, Tally.ROWS, EventClauses.attempted("attempts", ENDED_AT), ENDED_AT);

  private final Connection connection;

  SettleOthers(Connection connection) {
    this.connection = connection;
  }

  /** Writes settlements whose jobs {@link Settle} has locked. */
  void write(List<FinishedAttempt> settled) throws SQLException {
    List<FinishedAttempt> back = new ArrayList<>();
    List<FinishedAttempt> dead = new ArrayList<>();
    List<FinishedAttempt> cancelled = new ArrayList<>();
    for (FinishedAttempt one : settled) {
      switch (one.settlement()) {
        case Settlement.Retry _, Settlement.Snooze _, Settlement.GiveBack _ -> back.add(one);
        case Settlement.DeadLetter _ -> dead.add(one);
        case Settlement.Cancel _ -> cancelled.add(one);
        case Settlement.Complete _ -> {}
      }
    }
    // First, while the jobs' rows still tell when the attempts were due.
    if (!settled.isEmpty()) {
      recordAttempts(settled);
    }
    putBack(back);
    deadLetter(dead);
    cancel(cancelled);
  }

  @FunctionalInterface
  private interface Binding {
    Columns<FinishedAttempt> bind(Columns<FinishedAttempt> columns) throws SQLException;
  }

  private void execute(String sql, List<FinishedAttempt> batch, Binding binding)
      throws SQLException {
    if (batch.isEmpty()) {
      return;
    }
    Statements.run(connection, sql, p -> binding.bind(p.columns(batch)));
  }

  private void putBack(List<FinishedAttempt> batch) throws SQLException {
    execute(
        PUT_BACK,
        batch,
        columns ->
            columns
                .ids(FinishedAttempt::jobId)
                .ints(t -> t.claimed().version())
                .ints(t -> t.settlement() instanceof Settlement.Retry ? 1 : 0)
                .ints(t -> t.settlement() instanceof Settlement.Snooze ? 1 : 0)
                .bigint(t -> delayMicros(t.settlement()))
                .bigint(t -> drawnMicros(t.settlement()))
                .ids(FinishedAttempt::jobId));
  }

  private void deadLetter(List<FinishedAttempt> batch) throws SQLException {
    execute(
        DEAD_LETTER,
        batch,
        columns ->
            columns
                .ids(FinishedAttempt::jobId)
                .ints(t -> t.claimed().version())
                .text(t -> ((Settlement.DeadLetter) t.settlement()).reason())
                .text(t -> ((Settlement.DeadLetter) t.settlement()).failure().reason())
                .text(t -> ((Settlement.DeadLetter) t.settlement()).failure().message())
                .longs(t -> Rows.micros(t.sinceStart()))
                .text(FinishedAttempt::node)
                .ids(FinishedAttempt::jobId));
  }

  private void cancel(List<FinishedAttempt> batch) throws SQLException {
    execute(
        CANCEL,
        batch,
        columns ->
            columns
                .ids(FinishedAttempt::jobId)
                .ints(t -> t.claimed().version())
                .longs(t -> t.claimed().fencingToken())
                .longs(t -> Rows.micros(t.sinceStart()))
                .text(FinishedAttempt::node)
                .text(FinishedAttempt::detail)
                .longs(t -> t.claimed().fencingToken())
                .ids(FinishedAttempt::jobId));
  }

  /** Those that have rows of their own, and what is counted of all. */
  private void recordAttempts(List<FinishedAttempt> settled) throws SQLException {
    List<FinishedAttempt> apart = settled.stream().filter(SettleOthers::isRecordedApart).toList();
    Tally tally = SettledTally.of(settled);
    Statements.run(
        connection,
        RECORD_ATTEMPTS,
        p -> {
          tally.bind(p);
          p.columns(apart)
              .ids(FinishedAttempt::jobId)
              .ints(t -> t.claimed().job().attempt())
              .longs(t -> t.claimed().fencingToken())
              .text(SettleOthers::recordedOutcome)
              .text(t -> failure(t.settlement()).map(Failure::reason).orElse(null))
              .text(t -> failure(t.settlement()).map(Failure::message).orElse(null))
              .longs(t -> Rows.micros(t.sinceStart()))
              .longs(t -> Rows.micros(t.took()))
              .text(FinishedAttempt::node)
              .text(FinishedAttempt::detail)
              .text(t -> t.settlement() instanceof Settlement.DeadLetter ? "dead_letter" : null)
              .text(Delivered::queue)
              .ids(FinishedAttempt::jobId)
              .longs(t -> t.claimed().fencingToken());
        });
  }

  /** The history row of a cancelled job holds its last attempt; a snooze is no attempt. */
  private static boolean isRecordedApart(FinishedAttempt settled) {
    return switch (settled.settlement()) {
      case Settlement.Retry _, Settlement.DeadLetter _, Settlement.GiveBack _ -> true;
      case Settlement.Complete _, Settlement.Snooze _, Settlement.Cancel _ -> false;
    };
  }

  private static @Nullable Long delayMicros(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Retry retry -> Rows.micros(retry.delay());
      case Settlement.Snooze snooze -> Rows.micros(snooze.delay());
      case Settlement.GiveBack _,
          Settlement.Complete _,
          Settlement.DeadLetter _,
          Settlement.Cancel _ ->
          null;
    };
  }

  private static @Nullable Long drawnMicros(Settlement settlement) {
    return settlement instanceof Settlement.Retry retry ? Rows.micros(retry.drawn()) : null;
  }

  /** The settlement's word, where the outcome has none of its own for an attempt that failed. */
  private static String recordedOutcome(FinishedAttempt settled) {
    if (settled.settlement() instanceof Settlement.GiveBack) {
      return "released";
    }
    return switch (settled.outcome()) {
      case Outcome.Throttled _ -> "throttled";
      case Outcome.Fatal _ -> "fatal";
      case Outcome.Failed _,
          Outcome.Completed _,
          Outcome.NotReady _,
          Outcome.Cancelled _,
          Outcome.GivenBack _ ->
          "failed";
    };
  }

  private static Optional<Failure> failure(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Retry retry -> Optional.of(retry.failure());
      case Settlement.DeadLetter dead -> Optional.of(dead.failure());
      case Settlement.Complete _, Settlement.Snooze _, Settlement.GiveBack _, Settlement.Cancel _ ->
          Optional.empty();
    };
  }
}
