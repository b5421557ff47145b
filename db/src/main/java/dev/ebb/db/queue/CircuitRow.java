package dev.ebb.db.queue;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.json.CircuitJson;
import java.sql.SQLException;
import java.util.List;

/** Writes the states of circuits, under their queues' locks. */
public final class CircuitRow {
  /** Writes the states that {@link #bind} gives it. */
  public static final String WRITE =
      """
      insert into ebb.circuit as c (queue, held_until, state)
      select t.queue, t.held_until, t.state::jsonb
      from unnest(?::text[], ?::timestamptz[], ?::text[]) as t (queue, held_until, state)
      on conflict (queue) do update
      set held_until = excluded.held_until, state = excluded.state
      """;

  private CircuitRow() {}

  /** The state that a queue's circuit gets. */
  public record Write(String queue, Circuit circuit) {}

  /** Gives {@link #WRITE} its parameters. */
  public static void bind(Parameters parameters, List<Write> writes) throws SQLException {
    var _ =
        parameters
            .columns(writes)
            .text(Write::queue)
            .time(write -> write.circuit.heldUntil())
            .text(write -> CircuitJson.write(write.circuit));
  }
}
