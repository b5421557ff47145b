package dev.ebb.worker;

import dev.ebb.db.loop.Pause;
import dev.ebb.db.settle.FinishedAttempt;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The settlements whose jobs somebody else has locked, each with a pause of its own until it is
 * tried again. For one thread, but for {@link #of} and {@link #size}.
 */
final class LockedOut {
  private final Map<FinishedAttempt, Pause> pauses = new LinkedHashMap<>();
  private final Map<String, Integer> perQueue = new ConcurrentHashMap<>();
  private volatile int size;

  /** Remembers them, or doubles their pauses. */
  void add(Collection<FinishedAttempt> locked) {
    for (FinishedAttempt settled : locked) {
      Pause before = pauses.get(settled);
      pauses.put(settled, before == null ? Pause.first() : before.next());
      if (before == null) {
        perQueue.merge(queue(settled), 1, Integer::sum);
      }
    }
    size = pauses.size();
  }

  /** Those whose pause is over, at most this many; they stay until they are removed. */
  List<FinishedAttempt> due(int most) {
    return pauses.entrySet().stream()
        .filter(entry -> entry.getValue().leftNanos() <= 0)
        .map(Map.Entry::getKey)
        .limit(most)
        .toList();
  }

  void remove(Collection<FinishedAttempt> written) {
    if (pauses.isEmpty()) {
      return;
    }
    for (FinishedAttempt settled : written) {
      if (pauses.remove(settled) != null) {
        perQueue.computeIfPresent(queue(settled), (_, count) -> count == 1 ? null : count - 1);
      }
    }
    size = pauses.size();
  }

  private static String queue(FinishedAttempt settled) {
    return settled.claimed().job().queue();
  }

  /** How many there are of the queue; for any thread. */
  int of(String queue) {
    return perQueue.getOrDefault(queue, 0);
  }

  boolean isEmpty() {
    return pauses.isEmpty();
  }

  /** How many there are; for any thread. */
  int size() {
    return size;
  }
}
