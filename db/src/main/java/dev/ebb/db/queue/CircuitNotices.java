package dev.ebb.db.queue;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.Outage;
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
 * Tells people of destinations that fail for long, by jobs to the destination that they chose for
 * that: {@code destination.failing} after 1, 24 and 72 hours, {@code destination.disabled}, and
 * {@code destination.recovered} of one that they were told of.
 *
 * <p>They are submitted by the transaction that changes the circuit: each comes once.
 */
final class CircuitNotices {
  private static final String TO =
      """
      select q.name
      from ebb.settings s
      join ebb.queue q on q.name = s.notices
      where q.destination is not null
        and q.name <> ?
      """;

  private CircuitNotices() {}

  /** Submits what there is to tell, and answers the queue of the job; {@code null} for nothing. */
  static @Nullable String write(
      Connection connection, String queue, Circuit before, Circuit after, Instant now)
      throws SQLException {
    String type = type(before.outage(), after.outage());
    if (type == null) {
      return null;
    }
    String to = Statements.first(connection, TO, p -> p.text(queue), row -> row.getString("name"));
    if (to != null) {
      Instant since = since(before, after, now);
      // Who changes settings notifies nobody of them.
      Submit.store(connection, Untold.lookedFor(List.of(job(to, type, queue, since, after, now))));
    }
    return to;
  }

  private static @Nullable String type(@Nullable Outage before, @Nullable Outage after) {
    if (after == null) {
      boolean told = before != null && (before.noticed() > 0 || before.disabledSince() != null);
      return told ? "destination.recovered" : null;
    }
    if (after.disabledSince() != null) {
      return before == null || before.disabledSince() == null ? "destination.disabled" : null;
    }
    return before != null && after.noticed() > before.noticed() ? "destination.failing" : null;
  }

  private static Instant since(Circuit before, Circuit after, Instant now) {
    Outage lasts = after.outage() == null ? before.outage() : after.outage();
    return lasts == null ? now : lasts.since();
  }

  private static NewJob job(
      String to, String type, String queue, Instant since, Circuit after, Instant now) {
    ObjectNode body =
        JsonMapper.shared()
            .createObjectNode()
            .put("type", type)
            .put("destination", queue)
            .put("since", since.toString())
            .put("at", now.toString());
    if (after.reason() != null) {
      body.put("reason", after.reason());
    }
    ObjectNode payload = JsonMapper.shared().createObjectNode();
    payload.set("body", body);
    return NewJob.builder(DeliveryJson.KIND, payload.toString())
        .queue(to)
        .labels(Map.of("notice", type, "about", queue))
        .build();
  }
}
