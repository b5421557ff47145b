package dev.ebb.db.queue;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.CircuitRule;
import java.time.Instant;

/**
 * The circuit of a destination.
 *
 * @param now the database's clock
 */
public record CircuitView(String queue, CircuitRule rule, Circuit circuit, Instant now) {
  /** Whether nothing starts now. */
  public boolean holds() {
    return circuit.admits(now) == 0;
  }
}
