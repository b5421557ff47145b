package dev.ebb.api.events;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import java.util.HashMap;
import java.util.Map;

/**
 * The places of open streams, of which a caller has at most half of those that the others leave: so
 * two callers leave a quarter, and three an eighth.
 */
final class StreamPlaces {
  private static final int RETRY_SECONDS = 5;

  private final StreamRules rules;
  private final Map<Object, Integer> takenByCaller = new HashMap<>();
  private int taken;

  StreamPlaces(StreamRules rules) {
    this.rules = rules;
  }

  /** Takes a place; a {@link Refusal} if there is none. */
  synchronized void take(Object caller) {
    int own = takenByCaller.getOrDefault(caller, 0);
    if (own >= rules.mostOfCaller(taken - own)) {
      throw Refusal.passing(
          ProblemCode.TOO_MANY_REQUESTS,
          "The caller has " + own + " open event streams, the most that it may have here.",
          RETRY_SECONDS);
    }
    if (taken >= rules.most()) {
      throw Refusal.passing(
          ProblemCode.BUSY, "Too many event streams are open here.", RETRY_SECONDS);
    }
    takenByCaller.put(caller, own + 1);
    taken++;
  }

  synchronized void giveBack(Object caller) {
    takenByCaller.computeIfPresent(caller, (_, own) -> own == 1 ? null : Integer.valueOf(own - 1));
    taken--;
  }

  synchronized int taken() {
    return taken;
  }
}
