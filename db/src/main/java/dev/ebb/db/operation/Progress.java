package dev.ebb.db.operation;

import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.Stage;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How far an operation has come: what a step reads, changes and writes back. */
final class Progress {
  static final int MOST_AT_ONCE = 500;

  private static final String SAVE =
      """
      update ebb.operation o
      set due_at = greatest(?, statement_timestamp() + ? * interval '1 microsecond'),
        before_id = ?,
        found_ids = ?,
        found_all = ?,
        last_queue = ?,
        batch = ?,
        warmed_queues = ?,
        next_job_at = ?,
        stage = ?,
        stage_done = ?,
        stage_ended = ?,
        stage_failed = ?,
        looked_at = ?,
        done = ?,
        skipped = ?,
        succeeded = ?,
        failed = ?,
        state = ?,
        state_reason = ?,
        ended_at = case when ? then statement_timestamp() end
      where o.id = ?
        and o.state = 'running'
      """;

  final Instant now;
  Instant dueAt;
  private Duration pause = Duration.ZERO;
  @Nullable UUID beforeId;
  int foundIds;
  boolean foundAll;
  String lastQueue;
  int batch;
  List<String> warmedQueues;
  Instant nextJobAt;
  int stage;
  int stageDone;
  int stageEnded;
  int stageFailed;
  UUID lookedAt;
  long done;
  long skipped;
  long succeeded;
  long failed;
  String state;
  @Nullable String stateReason;

  private Progress(ResultSet row) throws SQLException {
    now = Rows.instant(row, "now");
    dueAt = now;
    beforeId = row.getObject("before_id", UUID.class);
    foundIds = row.getInt("found_ids");
    foundAll = row.getBoolean("found_all");
    lastQueue = row.getString("last_queue");
    batch = row.getInt("batch");
    warmedQueues = Rows.texts(row, "warmed_queues");
    nextJobAt = Rows.instant(row, "next_job_at");
    stage = row.getInt("stage");
    stageDone = row.getInt("stage_done");
    stageEnded = row.getInt("stage_ended");
    stageFailed = row.getInt("stage_failed");
    lookedAt = row.getObject("looked_at", UUID.class);
    done = row.getLong("done");
    skipped = row.getLong("skipped");
    succeeded = row.getLong("succeeded");
    failed = row.getLong("failed");
    state = row.getString("state");
  }

  /** Out of a row of {@code ebb.operation} with the time as {@code now}. */
  static Progress read(ResultSet row) throws SQLException {
    return new Progress(row);
  }

  /** Has the next step wait so long after this one. */
  void putOff(Duration pause) {
    this.pause = pause;
  }

  /** Goes on with fewer jobs at once: perhaps one of them keeps the others waiting. */
  void goSmaller(int tried, Duration pause) {
    batch = Math.max(1, tried / 2);
    putOff(pause);
  }

  void goLarger() {
    batch = Math.min(MOST_AT_ONCE, batch * 2);
  }

  /** How many more jobs it may touch. */
  long left(OperationPlan plan) {
    return plan.bounded(Long.MAX_VALUE) - done;
  }

  Stage stage(OperationPlan plan) {
    return Stage.of(plan.stages(), stage, stageDone, stageEnded, stageFailed);
  }

  void nextStage() {
    stage++;
    stageDone = 0;
    stageEnded = 0;
    stageFailed = 0;
  }

  /** Writes it back; the step has the row locked. */
  void save(Connection connection, UUID operation, boolean ended) throws SQLException {
    Statements.update(
        connection,
        SAVE,
        p -> {
          p.time(dueAt).micros(pause).idOrNull(beforeId).integer(foundIds).flag(foundAll);
          p.text(lastQueue).integer(batch).texts(warmedQueues).time(nextJobAt);
          p.integer(stage).integer(stageDone).integer(stageEnded).integer(stageFailed);
          p.id(lookedAt).bigint(done).bigint(skipped).bigint(succeeded).bigint(failed);
          p.text(state).text(stateReason).flag(ended).id(operation);
        });
  }
}
