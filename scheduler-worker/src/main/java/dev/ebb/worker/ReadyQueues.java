package dev.ebb.worker;

import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The queues to claim from. Three take turns: one that had more work than its last claim took, the
 * one that was told last, and the one that was told first. So neither a queue with a backlog nor a
 * new one is ever far behind, however many queues there are.
 *
 * <pre>
 *   had more     q7 q2 q9 ─▶
 *   told      ◀─ q4 q1 q8 q5 q3 ─▶
 *          first                last
 * </pre>
 */
final class ReadyQueues {
  /** Queues that are told beyond this are dropped: the next poll finds them. */
  private static final int MOST = 10_000;

  private final LinkedHashSet<String> hadMore = new LinkedHashSet<>();
  private final LinkedHashSet<String> told = new LinkedHashSet<>();
  private int turn;

  /** Tells of a queue with work; answers whether that is news. */
  synchronized boolean tell(String queue) {
    return told.size() < MOST && !hadMore.contains(queue) && told.add(queue);
  }

  /** Tells of a queue whose claim may have left some. */
  synchronized void hadMore(String queue) {
    told.remove(queue);
    hadMore.add(queue);
  }

  /** Takes the next one; {@code null} if there is none. */
  synchronized @Nullable String next() {
    turn = (turn + 1) % 3;
    if (told.isEmpty() || (turn == 0 && !hadMore.isEmpty())) {
      return hadMore.isEmpty() ? null : hadMore.removeFirst();
    }
    return turn == 1 ? told.removeLast() : told.removeFirst();
  }

  synchronized boolean isEmpty() {
    return told.isEmpty() && hadMore.isEmpty();
  }
}
