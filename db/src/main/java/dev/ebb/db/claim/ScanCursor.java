package dev.ebb.db.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far the claims of one node have come in one queue: per priority, the last job in claim order.
 *
 * <pre>
 *   the claim index at one priority, by (run_at, id)
 *   dead · dead · dead · leased · leased │ due · due · due · due │ not due yet
 *                                     reached                   now
 * </pre>
 *
 * <p>A claim that starts there walks neither over dead entries, which an old snapshot keeps from
 * being removed, nor over what is in flight. A job may turn up before it: committed late, given
 * back, or with a run at in the past. A full scan, a claim from the beginning, finds it.
 */
final class ScanCursor {
  static final int PRIORITIES = 10;
  private static final UUID LEAST_ID = new UUID(0, 0);

  /** Commits come in another order than their run at: the last moments are always read again. */
  private static final Duration SLACK = Duration.ofMillis(50);

  private final @Nullable Key[] reached = new @Nullable Key[PRIORITIES];
  private final Map<Long, Batch> leases = new HashMap<>();

  private record Key(Instant runAt, UUID id) {
    boolean isUpTo(Key other) {
      int byTime = runAt.compareTo(other.runAt);
      return byTime == 0 ? compare(id, other.id) <= 0 : byTime < 0;
    }

    /** As PostgreSQL does; {@link UUID#compareTo} compares signed numbers. */
    private static int compare(UUID one, UUID other) {
      int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
      return high == 0
          ? Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits())
          : high;
    }
  }

  /** The last job of each priority in a claimed batch. */
  static final class Batch {
    private final @Nullable Key[] last = new @Nullable Key[PRIORITIES];

    boolean isEmpty() {
      return Arrays.stream(last).allMatch(Objects::isNull);
    }

    /** Notes the last job of a priority. */
    void put(int priority, Instant runAt, UUID id) {
      last[priority] = new Key(runAt, id);
    }
  }

  /**
   * Advances past a batch that was looked for at that time of the database's clock; answers whether
   * it got any further.
   */
  boolean advance(long lease, Instant lookedAt, Batch batch) {
    leases.put(lease, batch);
    return pass(lookedAt, batch);
  }

  /**
   * Advances past jobs that were looked at then, whether they were claimed or not; answers whether
   * it got any further.
   */
  boolean pass(Instant lookedAt, Batch batch) {
    forgetTheFuture(lookedAt);
    Key latest = new Key(lookedAt.minus(SLACK), LEAST_ID);
    boolean isFurther = false;
    for (int priority = 0; priority < PRIORITIES; priority++) {
      Key last = batch.last[priority];
      if (last != null) {
        Key to = last.isUpTo(latest) ? last : latest;
        Key from = reached[priority];
        if (from == null || !to.isUpTo(from)) {
          reached[priority] = to;
          isFurther = true;
        }
      }
    }
    return isFurther;
  }

  /** A cursor as far as this one, less that time. */
  ScanCursor before(Duration less) {
    ScanCursor before = new ScanCursor();
    for (int priority = 0; priority < PRIORITIES; priority++) {
      Key key = reached[priority];
      before.reached[priority] = key == null ? null : new Key(key.runAt.minus(less), LEAST_ID);
    }
    return before;
  }

  /** If the database's clock stepped back, the place reached before would hide new jobs. */
  private void forgetTheFuture(Instant now) {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      Key key = reached[priority];
      if (key != null && key.runAt.isAfter(now)) {
        reached[priority] = null;
      }
    }
  }

  /** Forgets the node's leases but these. */
  void retainLeases(Collection<Long> held) {
    leases.keySet().retainAll(held);
  }

  /**
   * The node's leases whose jobs all lie before the cursor: a claim need not look into them. Their
   * rows say so too, but not where jobs are due at the same instant or differ in priority.
   */
  List<Long> leasesBefore() {
    return leases.entrySet().stream()
        .filter(lease -> isBefore(lease.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether all of the batch lies before the cursor. */
  boolean isBefore(Batch batch) {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      if (batch.last[priority] != null && !isBefore(batch, priority)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the last of the batch at that priority lies before the cursor. */
  boolean isBefore(Batch batch, int priority) {
    Key last = batch.last[priority];
    Key to = reached[priority];
    return last != null && to != null && last.isUpTo(to);
  }

  /**
   * Goes on after a stretch of a full scan: from the ends, and at the other priorities that were
   * scanned from the beginning.
   *
   * @param upTo the last priority that was scanned; -1 for none
   */
  void goOn(Batch ends, int upTo) {
    for (int priority = 0; priority <= upTo; priority++) {
      reached[priority] = ends.last[priority];
    }
  }

  boolean isAtTheBeginning() {
    return Arrays.stream(reached).allMatch(Objects::isNull);
  }

  /**
   * Where a scan of some priorities starts.
   *
   * @param low the first of them
   * @param high the last of them
   * @param runAt as an SQL timestamp
   * @param id where it starts at that time
   */
  record Start(int low, int high, String runAt, UUID id) {
    private static Start at(int priority, @Nullable Key key) {
      return key == null
          ? new Start(priority, priority, "-infinity", LEAST_ID)
          : new Start(priority, priority, key.runAt.toString(), key.id);
    }

    private boolean goesOnFrom(Start before) {
      return runAt.equals(before.runAt) && id.equals(before.id);
    }
  }

  /** Where to start, in the order of the priorities; those that start alike are one. */
  List<Start> starts() {
    List<Start> starts = new ArrayList<>();
    for (int priority = 0; priority < PRIORITIES; priority++) {
      Start next = Start.at(priority, reached[priority]);
      if (!starts.isEmpty() && next.goesOnFrom(starts.getLast())) {
        Start before = starts.removeLast();
        next = new Start(before.low, priority, next.runAt, next.id);
      }
      starts.add(next);
    }
    return starts;
  }
}
