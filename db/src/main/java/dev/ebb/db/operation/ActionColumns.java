package dev.ebb.db.operation;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.operation.JobAction;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The columns of {@code ebb.operation} that hold its action. */
final class ActionColumns {
  static final String NAMES = "action, at, warm_up, priority, reset_attempts";

  private ActionColumns() {}

  /** Gives a statement their values. */
  static Parameters bind(Parameters parameters, JobAction action) throws SQLException {
    return parameters
        .text(action.word())
        .time(at(action))
        .flag(action instanceof JobAction.Redrive redrive && redrive.warmUp())
        .integer(action instanceof JobAction.SetPriority set ? (Integer) set.priority() : null)
        .flag(resets(action));
  }

  private static @Nullable Instant at(JobAction action) {
    return switch (action) {
      case JobAction.Reschedule reschedule -> reschedule.runAt();
      case JobAction.Hold hold -> hold.until();
      case JobAction _ -> null;
    };
  }

  private static boolean resets(JobAction action) {
    return switch (action) {
      case JobAction.Retry retry -> retry.resetAttempts();
      case JobAction.Redrive redrive -> redrive.resetAttempts();
      case JobAction _ -> false;
    };
  }

  static JobAction read(ResultSet row) throws SQLException {
    Instant at = Rows.instantOrNull(row, "at");
    // A node of the previous release may have left it out: then it is as the action does by itself.
    Boolean resets = row.getObject("reset_attempts", Boolean.class);
    String word = row.getString("action");
    return switch (word) {
      case "retry" -> new JobAction.Retry(resets != null && resets);
      case "cancel" -> new JobAction.Cancel();
      case "redrive" -> new JobAction.Redrive(row.getBoolean("warm_up"), resets == null || resets);
      case "discard" -> new JobAction.Discard();
      case "reschedule" -> new JobAction.Reschedule(requireNonNull(at));
      case "hold" -> new JobAction.Hold(at);
      case "release" -> new JobAction.Release();
      case "skip" -> new JobAction.Skip();
      case "set_priority" -> new JobAction.SetPriority(row.getInt("priority"));
      default -> throw new IllegalStateException("no action: " + word);
    };
  }
}
