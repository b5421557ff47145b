package dev.ebb.db.operation;

import dev.ebb.core.access.Act;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.operation.Stage;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.connection.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a row of {@code ebb.operation}. */
final class OperationRow {
  private OperationRow() {}

  static OperationView view(ResultSet row) throws SQLException {
    OperationPlan plan = plan(row);
    return new OperationView(
        row.getObject("id", UUID.class),
        Rows.instant(row, "created_at"),
        plan,
        new Act(
            row.getString("actor"),
            row.getString("token_id"),
            row.getString("address"),
            row.getString("reason")),
        row.getLong("matched"),
        row.getBoolean("matched_exact"),
        OperationState.of(row.getString("state")),
        row.getString("state_reason"),
        Rows.instantOrNull(row, "ended_at"),
        new OperationView.Counts(
            row.getLong("done"),
            row.getLong("skipped"),
            row.getLong("succeeded"),
            row.getLong("failed")),
        Stage.of(
            plan.stages(),
            row.getInt("stage"),
            row.getInt("stage_done"),
            row.getInt("stage_ended"),
            row.getInt("stage_failed")));
  }

  private static OperationPlan plan(ResultSet row) throws SQLException {
    double rate = row.getDouble("rate");
    Pace pace = row.wasNull() ? null : new Pace(rate);
    double ratio = row.getDouble("stop_ratio");
    Double stopRatio = row.wasNull() ? null : (Double) ratio;
    return new OperationPlan(
        ActionColumns.read(row),
        filter(row.getString("filter")),
        Rows.ids(row, "job_ids"),
        pace,
        List.of((Integer[]) row.getArray("stages").getArray()),
        stopRatio,
        row.getObject("max_jobs", Integer.class),
        row.getInt("pauses_after"));
  }

  private static @Nullable JobFilter filter(@Nullable String query) {
    return query == null ? null : JobQuery.read(query, new FilterBuilder()).build();
  }
}
