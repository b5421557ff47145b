package dev.ebb.db.queue;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.Outage;
import dev.ebb.db.queue.Notices.Notice;
import dev.ebb.db.queue.Notices.Told;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells people of destinations that fail for long: {@code destination.failing} after 1, 24 and 72
 * hours, {@code destination.disabled}, and {@code destination.recovered} of one that they were told
 * of.
 *
 * <p>They are submitted by the transaction that changes the circuit.
 */
final class CircuitNotices {
  private CircuitNotices() {}

  /** Submits what there is to tell, and answers the queue of the job; {@code null} for nothing. */
  static @Nullable String write(
      Connection connection, String queue, Circuit before, Circuit after, Instant now)
      throws SQLException {
    String type = type(before.outage(), after.outage());
    String to = type == null ? null : Notices.to(connection);
    if (type == null || to == null || to.equals(queue)) {
      return null;
    }
    Notice notice = new Notice(type, queue, since(before, after, now), now);
    ObjectNode body = notice.body();
    if (after.reason() != null) {
      body.put("reason", after.reason());
    }
    boolean isAlone = Notices.tell(connection, to, List.of(new Told(notice, body, 0)));
    return isAlone ? to : null;
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
}
