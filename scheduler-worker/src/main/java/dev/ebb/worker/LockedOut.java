package dev.ebb.worker;

import dev.ebb.db.Settled;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settlements whose jobs somebody else has locked, each with a pause of its own until it is
 * tried again. For one thread.
 */
final class LockedOut {
  static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

  private final Map<Settled, Turn> turns = new LinkedHashMap<>();

  private record Turn(long dueNanos, long pauseNanos) {
    static Turn after(long pauseNanos) {
      return new Turn(System.nanoTime() + pauseNanos, pauseNanos);
    }

    Turn next() {
      return after(Math.min(2 * pauseNanos, Loop.LONGEST_PAUSE.toNanos()));
    }
  }

  /** Remembers them, or doubles their pauses. */
  void add(Collection<Settled> locked) {
    for (Settled settled : locked) {
      Turn before = turns.get(settled);
      turns.put(settled, before == null ? Turn.after(SHORTEST_PAUSE.toNanos()) : before.next());
    }
  }

  /** Those whose pause is over; they stay until they are removed. */
  List<Settled> due() {
    long now = System.nanoTime();
    return turns.entrySet().stream()
        .filter(entry -> entry.getValue().dueNanos - now <= 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  void remove(Collection<Settled> written) {
    written.forEach(turns::remove);
  }

  boolean isEmpty() {
    return turns.isEmpty();
  }

  int size() {
    return turns.size();
  }
}
