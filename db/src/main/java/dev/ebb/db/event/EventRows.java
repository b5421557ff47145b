package dev.ebb.db.event;

import dev.ebb.core.query.JobFacts;
import dev.ebb.core.query.Phase;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads the event of a row. */
final class EventRows {
  private static final JsonMapper JSON = JsonMapper.shared();

  private EventRows() {}

  /**
   * The event; {@code null} if a node of the release before wrote it of a job that is nowhere any
   * more.
   */
  static @Nullable Event read(ResultSet row) throws SQLException {
    long transaction = Long.parseLong(row.getString("xact"));
    if (row.getString("what").equals("change")) {
      return new ChangeEvent(
          transaction,
          Rows.instant(row, "at"),
          row.getString("action"),
          row.getString("subject"),
          row.getLong("affected"));
    }
    return row.getString("queue") == null ? null : job(transaction, row);
  }

  private static JobEvent job(long transaction, ResultSet row) throws SQLException {
    String outcome = Objects.requireNonNull(Rows.outcome(row));
    String reason = row.getString("reason");
    String error = row.getString("error");
    JobFacts facts =
        new JobFacts(
            row.getObject("id", UUID.class),
            phase(outcome),
            row.getString("queue"),
            row.getString("kind"),
            row.getString("unique_key"),
            labels(row.getString("labels")),
            row.getInt("attempt"),
            Rows.instant(row, "created_at"),
            reason == null ? "" : reason + " " + (error == null ? "" : error),
            Rows.instant(row, "at"),
            row.getString("destination"),
            row.getString("job_subject"));
    return new JobEvent(transaction, facts, outcome, reason);
  }

  /** Where the event left the job. */
  private static Phase phase(String outcome) {
    return switch (outcome) {
      case "completed" -> Phase.COMPLETED;
      case "cancelled" -> Phase.CANCELLED;
      case "dead_letter" -> Phase.DEAD_LETTER;
      default -> Phase.RETRYING;
    };
  }

  private static Map<String, String> labels(@Nullable String json) {
    Map<String, String> labels = new TreeMap<>();
    if (json != null) {
      JSON.readTree(json)
          .properties()
          .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
    }
    return labels;
  }
}
