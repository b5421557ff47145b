package dev.ebb.worker;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The queues to claim from. Three take turns: one that had more work than its last claim took, the
 * one that was told last, and the one that was told first. So neither a queue with a backlog nor a
 * new one is ever far behind, however many queues there are. One that came to nothing among others
 * comes alone: a claim of a single queue waits for its lock, and gets all the room.
 *
 * <pre>
 *   had more     q7 q2 q9 ─▶
 *   told      ◀─ q4 q1 q8 q5 q3 ─▶
 *          first                last
 *   alone        q6 ─▶
 * </pre>
 */
final class ReadyQueues {
  /** Queues that are told beyond this are dropped: a later look finds them. */
  private static final int MOST = 10_000;

  private final LinkedHashSet<String> hadMore = new LinkedHashSet<>();
  private final LinkedHashSet<String> told = new LinkedHashSet<>();
  private final LinkedHashSet<String> alone = new LinkedHashSet<>();
  private int turn;
  private boolean isTurnOfAlone;

  /** Tells of a queue with work; answers whether that is news. */
  synchronized boolean tell(String queue) {
    return told.size() < MOST
        && !hadMore.contains(queue)
        && !alone.contains(queue)
        && told.add(queue);
  }

  /** Tells of a queue whose claim may have left some. */
  synchronized void hadMore(String queue) {
    told.remove(queue);
    hadMore.add(queue);
  }

  /** Tells of a queue that is to come alone. */
  synchronized void tellAlone(String queue) {
    told.remove(queue);
    alone.add(queue);
  }

  /** Takes the next ones, at most this many; none if there are none. */
  synchronized List<String> next(int most) {
    isTurnOfAlone = !isTurnOfAlone || (told.isEmpty() && hadMore.isEmpty());
    if (isTurnOfAlone && !alone.isEmpty()) {
      return List.of(alone.removeFirst());
    }
    List<String> next = new ArrayList<>();
    while (next.size() < most && !(told.isEmpty() && hadMore.isEmpty())) {
      next.add(nextOne());
    }
    return next;
  }

  private String nextOne() {
    turn = (turn + 1) % 3;
    if (told.isEmpty() || (turn == 0 && !hadMore.isEmpty())) {
      return hadMore.removeFirst();
    }
    return turn == 1 ? told.removeLast() : told.removeFirst();
  }

  synchronized boolean isEmpty() {
    return told.isEmpty() && hadMore.isEmpty() && alone.isEmpty();
  }
}
