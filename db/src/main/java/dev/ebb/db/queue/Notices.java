package dev.ebb.db.queue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.submit.Submit;
import dev.ebb.db.submit.Untold;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells people of destinations, by jobs to the destination that they chose for that. Who knows
 * something submits them in its transaction: each comes once, and a repeat of its delivery has the
 * same {@code webhook-id}.
 */
public final class Notices {
  private static final String TO =
      """
      select q.name
      from ebb.settings s
      join ebb.queue q on q.name = s.notices
      where q.destination is not null
      """;

  private Notices() {}

  /** Something to tell of a destination. */
  public record Notice(String type, String about, Instant since, Instant at) {
    /** As it is sent, without what only some have. */
    public ObjectNode body() {
      return JsonMapper.shared()
          .createObjectNode()
          .put("type", type)
          .put("destination", about)
          .put("since", since.toString())
          .put("at", at.toString());
    }
  }

  /** The destination that is told of others; {@code null} for none. */
  public static @Nullable String to(Connection connection) throws SQLException {
    return Statements.first(connection, TO, _ -> {}, row -> row.getString("name"));
  }

  /** The job that tells it. */
  public static NewJob job(String to, Notice notice, ObjectNode body) {
    ObjectNode payload = JsonMapper.shared().createObjectNode();
    payload.set("body", body);
    return NewJob.builder(DeliveryJson.KIND, payload.toString())
        .queue(to)
        .labels(Map.of("notice", notice.type(), "about", notice.about()))
        .build();
  }

  /** Submits such jobs. Workers look for them: who knows something may have nobody to notify. */
  public static void submit(Connection connection, List<NewJob> jobs) throws SQLException {
    Submit.store(connection, Untold.lookedFor(jobs));
  }
}
