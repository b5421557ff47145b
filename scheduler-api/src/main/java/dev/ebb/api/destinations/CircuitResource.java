package dev.ebb.api.destinations;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Circuit;
import dev.ebb.core.circuit.Outage;
import dev.ebb.core.circuit.Tally;
import dev.ebb.db.json.CircuitRuleJson;
import dev.ebb.db.queue.CircuitView;
import java.util.Locale;

/** Shows circuits. */
public final class CircuitResource {
  private CircuitResource() {}

  /** The circuit as answers show it. */
  public static Circuit of(CircuitView view) {
    dev.ebb.core.circuit.Circuit circuit = view.circuit();
    boolean isClosed = circuit.phase() == dev.ebb.core.circuit.Circuit.Phase.CLOSED;
    boolean isHeld = isClosed && view.holds();
    Outage outage = circuit.outage();
    Tally tally = circuit.tally();
    return new Circuit(
        view.queue(),
        isHeld ? "held" : circuit.phase().name().toLowerCase(Locale.ROOT),
        Answer.shown(circuit.since()),
        Answer.shownOrNull(circuit.openSince()),
        outage == null ? null : Answer.shownOrNull(outage.disabledSince()),
        view.holds() ? Answer.shownOrNull(circuit.heldUntil()) : null,
        circuit.reason(),
        outage == null ? 0 : outage.openings(),
        outage == null ? 0 : outage.goodProbes(),
        tally.allGood(),
        tally.allBad(),
        circuit.spells().stream().map(CircuitResource::of).toList(),
        CircuitRuleJson.shown(view.rule()));
  }

  private static Circuit.Spell of(dev.ebb.core.circuit.Circuit.Spell spell) {
    return new Circuit.Spell(
        Answer.shown(spell.from()), Answer.shown(spell.until()), spell.asked());
  }
}
