package dev.ebb.db;

import dev.ebb.core.Failure;
import dev.ebb.core.Outcome;
import dev.ebb.core.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settlements that do not complete a job, a statement for each kind: back to the queue, to the
 * dead letters, or cancelled; and the attempts that they end.
 */
final class NotCompleted {
  private static final String PUT_BACK =
      """
      update ebb.job j
      set version = j.version + 1,
        attempt = j.attempt + t.attempts,
        polls = j.polls + t.polls,
        last_delay_micros = coalesce(t.drawn_micros, j.last_delay_micros),
        run_at = coalesce(clock_timestamp() + t.delay_micros * interval '1 microsecond', j.run_at)
      from unnest(
        ?::uuid[], ?::integer[], ?::integer[], ?::integer[], ?::bigint[], ?::bigint[]
      ) as t (id, version, attempts, polls, delay_micros, drawn_micros)
      where j.id = any (?)
        and j.id = t.id
        and j.version = t.version -- fence
      """;

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
        id, queue, kind, priority, run_at, created_at, redriven_at, max_attempts, unique_key,
        policy, labels, timeout_millis, payload, version, attempt,
        reason, failure_reason, failure, started_at, node)
      select
        id, queue, kind, priority, run_at, created_at, redriven_at, max_attempts, unique_key,
        policy, labels, timeout_millis, payload, version + 1, attempt + 1,
        reason, failure_reason, failure,
        clock_timestamp() - since_start * interval '1 microsecond', node
      from dead
      """;

  private static final String CANCEL =
      """
      with cancelled as (
        delete from ebb.job j
        using unnest(?::uuid[], ?::integer[], ?::bigint[], ?::text[], ?::text[])
          as t (id, version, since_start, node, detail)
        where j.id = any (?)
          and j.id = t.id
          and j.version = t.version -- fence
        returning j.*, t.since_start, t.node, t.detail
      )
      insert into ebb.history (
        id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts,
        attempt, cancelled, started_at, node, detail)
      select
        id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts,
        attempt + 1, true,
        clock_timestamp() - since_start * interval '1 microsecond', node, detail
      from cancelled
      """;

  private static final String RECORD_ATTEMPTS =
      """
      insert into ebb.attempt (
        job_id, number, outcome, failure_reason, failure, started_at, ended_at, node, detail)
      select
        id, number, outcome, failure_reason, failure,
        clock_timestamp() - since_start * interval '1 microsecond',
        clock_timestamp() - (since_start - took) * interval '1 microsecond', node, detail
      from unnest(
        ?::uuid[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[],
        ?::text[], ?::text[]
      ) as t (id, number, outcome, failure_reason, failure, since_start, took, node, detail)
      """;

  private final Connection connection;

  NotCompleted(Connection connection) {
    this.connection = connection;
  }

  /** Writes settlements whose jobs {@link Settle} has locked. */
  void write(List<Settled> settled) throws SQLException {
    putBack(settled.stream().filter(NotCompleted::isPutBack).toList());
    deadLetter(only(settled, Settlement.DeadLetter.class));
    cancel(only(settled, Settlement.Cancel.class));
    recordAttempts(settled.stream().filter(NotCompleted::isRecordedApart).toList());
  }

  @FunctionalInterface
  private interface Binding {
    void bind(Columns<Settled> columns) throws SQLException;
  }

  private void execute(String sql, List<Settled> batch, Binding binding) throws SQLException {
    if (batch.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binding.bind(Columns.of(statement, batch));
      statement.executeUpdate();
    }
  }

  private void putBack(List<Settled> batch) throws SQLException {
    execute(
        PUT_BACK,
        batch,
        columns -> {
          columns.ids(1, Settle::id);
          columns.ints(2, t -> t.claimed().version());
          columns.ints(3, t -> t.settlement() instanceof Settlement.Retry ? 1 : 0);
          columns.ints(4, t -> t.settlement() instanceof Settlement.Poll ? 1 : 0);
          columns.bigint(5, t -> delayMicros(t.settlement()));
          columns.bigint(6, t -> drawnMicros(t.settlement()));
          columns.ids(7, Settle::id);
        });
  }

  private void deadLetter(List<Settled> batch) throws SQLException {
    execute(
        DEAD_LETTER,
        batch,
        columns -> {
          columns.ids(1, Settle::id);
          columns.ints(2, t -> t.claimed().version());
          columns.text(3, t -> ((Settlement.DeadLetter) t.settlement()).reason());
          columns.text(4, t -> ((Settlement.DeadLetter) t.settlement()).failure().reason());
          columns.text(5, t -> ((Settlement.DeadLetter) t.settlement()).failure().message());
          columns.longs(6, t -> Statements.micros(t.sinceStart()));
          columns.text(7, Settled::node);
          columns.ids(8, Settle::id);
        });
  }

  private void cancel(List<Settled> batch) throws SQLException {
    execute(
        CANCEL,
        batch,
        columns -> {
          columns.ids(1, Settle::id);
          columns.ints(2, t -> t.claimed().version());
          columns.longs(3, t -> Statements.micros(t.sinceStart()));
          columns.text(4, Settled::node);
          columns.text(5, Settled::detail);
          columns.ids(6, Settle::id);
        });
  }

  private void recordAttempts(List<Settled> batch) throws SQLException {
    execute(
        RECORD_ATTEMPTS,
        batch,
        columns -> {
          columns.ids(1, Settle::id);
          columns.ints(2, t -> t.claimed().job().attempt());
          columns.text(3, NotCompleted::recordedOutcome);
          columns.text(4, t -> reason(failure(t.settlement())));
          columns.text(5, t -> message(failure(t.settlement())));
          columns.longs(6, t -> Statements.micros(t.sinceStart()));
          columns.longs(7, t -> Statements.micros(t.took()));
          columns.text(8, Settled::node);
          columns.text(9, Settled::detail);
        });
  }

  private static List<Settled> only(List<Settled> batch, Class<? extends Settlement> settlement) {
    return batch.stream().filter(t -> settlement.isInstance(t.settlement())).toList();
  }

  private static boolean isPutBack(Settled settled) {
    return switch (settled.settlement()) {
      case Settlement.Retry _, Settlement.Poll _, Settlement.Release _ -> true;
      case Settlement.Complete _, Settlement.DeadLetter _, Settlement.Cancel _ -> false;
    };
  }

  /** The history row of a cancelled job holds its last attempt; a poll is no attempt. */
  private static boolean isRecordedApart(Settled settled) {
    return switch (settled.settlement()) {
      case Settlement.Retry _, Settlement.DeadLetter _, Settlement.Release _ -> true;
      case Settlement.Complete _, Settlement.Poll _, Settlement.Cancel _ -> false;
    };
  }

  private static @Nullable Long delayMicros(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Retry retry -> Statements.micros(retry.delay());
      case Settlement.Poll poll -> Statements.micros(poll.delay());
      case Settlement.Release _,
          Settlement.Complete _,
          Settlement.DeadLetter _,
          Settlement.Cancel _ ->
          null;
    };
  }

  private static @Nullable Long drawnMicros(Settlement settlement) {
    return settlement instanceof Settlement.Retry retry ? Statements.micros(retry.drawn()) : null;
  }

  /** The settlement's word, where the outcome has none of its own for an attempt that failed. */
  private static String recordedOutcome(Settled settled) {
    if (settled.settlement() instanceof Settlement.Release) {
      return "released";
    }
    return switch (settled.outcome()) {
      case Outcome.Throttled _ -> "throttled";
      case Outcome.Fatal _ -> "fatal";
      case Outcome.Failed _,
          Outcome.Completed _,
          Outcome.NotReady _,
          Outcome.Cancelled _,
          Outcome.Released _ ->
          "failed";
    };
  }

  private static @Nullable Failure failure(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Retry retry -> retry.failure();
      case Settlement.DeadLetter dead -> dead.failure();
      case Settlement.Complete _, Settlement.Poll _, Settlement.Release _, Settlement.Cancel _ ->
          null;
    };
  }

  private static @Nullable String reason(@Nullable Failure failure) {
    return failure == null ? null : failure.reason();
  }

  private static @Nullable String message(@Nullable Failure failure) {
    return failure == null ? null : failure.message();
  }
}
