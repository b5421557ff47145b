package dev.ebb.worker;

import dev.ebb.core.NewJob;
import dev.ebb.db.ClaimAnswer;
import dev.ebb.db.ClaimRequest;
import dev.ebb.db.Claimed;
import dev.ebb.db.Claimer;
import dev.ebb.db.Database;
import dev.ebb.db.Lease;
import dev.ebb.db.Queues;
import dev.ebb.db.WorkFinder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Claims what this node can start, and looks for work when it knows of none.
 *
 * <pre>
 *   hint, own retry due, slot free ──┐
 *                                    ▼
 *   look (one statement, all queues) ─▶ queues with work ─▶ claim a batch of each, in turn, while
 *        ▲                                                   slots are free and batches come full
 *        └──── wait: 20 ms, doubled up to the longest poll, ± a quarter ◀── nothing left
 * </pre>
 */
final class Poller {
  private static final int MOST_PER_CLAIM = 500;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);

  /** Where a look is slow, looks take at most one part in so many of the time. */
  private static final int LOOK_SHARE = 20;

  /** Slots that come free at about the same time are filled by one claim. */
  private static final Duration GATHER_SLOTS = Duration.ofMillis(2);

  /** A retry of this node's own that comes later than this is left to the polling. */
  private static final Duration LONGEST_OWN_RETRY = Duration.ofSeconds(10);

  private final WorkerConfig config;
  private final List<String> kinds;
  private final Claimer claimer;
  private final WorkFinder finder;
  private final Queues queues;
  private final Slots slots;
  private final HeldQueues held;
  private final Meters meters;
  private final Starter starter;
  private final Set<String> hinted = ConcurrentHashMap.newKeySet();
  private final ConcurrentSkipListSet<Long> ownRetriesNanos = new ConcurrentSkipListSet<>();
  private final Set<String> knownQueues = new HashSet<>();
  private Set<String> withWork = Set.of();
  private Duration wait = SHORTEST_WAIT;
  private @Nullable Long lookedNanos;
  private long lookTookNanos;
  private volatile boolean isShortOfSlots;

  /** Takes over what was claimed. */
  interface Starter {
    /**
     * Starts every job of the lease.
     *
     * @param askedNanos this node's monotonic clock when the claim was sent
     */
    void start(Lease lease, long askedNanos);

    /** The leases that this node has not ended. */
    Collection<Long> heldLeases();
  }

  Poller(
      WorkerConfig config,
      List<String> kinds,
      Database database,
      Slots slots,
      Meters meters,
      Starter starter) {
    this.config = config;
    this.kinds = kinds;
    this.claimer = new Claimer(database);
    this.finder = new WorkFinder(database);
    this.queues = new Queues(database);
    this.slots = slots;
    this.held = new HeldQueues(config.longestPoll());
    this.meters = meters;
    this.starter = starter;
  }

  /** The queues with limits, as the claims found them. */
  HeldQueues held() {
    return held;
  }

  /** Remembers a hint; the caller wakes the loop. */
  void hint(String queue) {
    if (config.queues() == null || config.queues().contains(queue)) {
      hinted.add(queue);
    }
  }

  /** Remembers when a job that this node put back is due, so that it need not be found late. */
  void ownRetryDueIn(Duration delay) {
    if (delay.compareTo(LONGEST_OWN_RETRY) < 0) {
      long grain = Duration.ofMillis(5).toNanos();
      ownRetriesNanos.add(((System.nanoTime() + delay.toNanos()) / grain + 1) * grain);
    }
  }

  /** Whether a slot that comes free should wake the loop. */
  boolean isShortOfSlots() {
    return isShortOfSlots;
  }

  /** One round; answers how long to wait for the next. */
  Duration step() throws SQLException, InterruptedException {
    if (isShortOfSlots) {
      TimeUnit.NANOSECONDS.sleep(GATHER_SLOTS.toNanos());
    }
    // Said before it is looked at: a slot that comes free in between wakes this loop.
    isShortOfSlots = true;
    if (!hasRoom()) {
      return config.longestPoll();
    }
    isShortOfSlots = false;
    boolean found = claimFromEach(candidates());
    wait = found ? SHORTEST_WAIT : longer(wait);
    return withWork.isEmpty() ? untilNextLook() : Duration.ZERO;
  }

  private boolean hasRoom() {
    return slots.freeJobs() > 0 && slots.freeBytes() >= NewJob.MAX_PAYLOAD_BYTES;
  }

  private List<String> candidates() throws SQLException {
    Set<String> candidates = new HashSet<>(withWork);
    List<String> hints = List.copyOf(hinted);
    hints.forEach(hinted::remove);
    candidates.addAll(hints);
    candidates.addAll(held.names());
    boolean someAreHeld = candidates.removeIf(held::isHeld);
    // The first is asked whatever the other says: it also forgets the own retries that are due.
    if (isLookDue() || (candidates.isEmpty() && !(someAreHeld && hasJustLooked()))) {
      candidates.addAll(look());
      candidates.removeIf(held::isHeld);
    }
    List<String> inTurn = new ArrayList<>(candidates);
    Collections.shuffle(inTurn, ThreadLocalRandom.current());
    return inTurn;
  }

  private boolean isLookDue() {
    long now = System.nanoTime();
    boolean ownRetry = ownRetriesNanos.removeIf(due -> due - now <= 0);
    return ownRetry || lookedNanos == null || now - lookedNanos >= config.longestPoll().toNanos();
  }

  /** Hints for a queue that is held must not make a look each. */
  private boolean hasJustLooked() {
    return lookedNanos != null && System.nanoTime() - lookedNanos < wait.toNanos();
  }

  private List<String> look() throws SQLException {
    long start = System.nanoTime();
    List<String> found = finder.queuesWithWork(kinds, config.queues());
    lookedNanos = System.nanoTime();
    lookTookNanos = lookedNanos - start;
    List<String> unknown = found.stream().filter(queue -> !knownQueues.contains(queue)).toList();
    if (!unknown.isEmpty()) {
      queues.ensure(unknown);
      knownQueues.addAll(unknown);
    }
    return found;
  }

  /**
   * Claims once from each queue, keeps those that may have more, and answers whether one had any.
   */
  private boolean claimFromEach(List<String> candidates) throws SQLException {
    Set<String> mayHaveMore = new HashSet<>();
    boolean found = false;
    for (String queue : candidates) {
      Claim claim = hasRoom() ? claim(queue) : Claim.NONE;
      found |= claim.jobs() > 0;
      if (claim.mayHaveLeftSome() || !hasRoom()) {
        mayHaveMore.add(queue);
      }
    }
    withWork = mayHaveMore;
    return found;
  }

  /** What a claim got, and whether there may be more to claim at once. */
  private record Claim(int jobs, boolean mayHaveLeftSome) {
    static final Claim NONE = new Claim(0, false);
  }

  private Claim claim(String queue) throws SQLException {
    int most = Math.min(slots.freeJobs(), MOST_PER_CLAIM);
    long askedNanos = System.nanoTime();
    held.asking(queue);
    ClaimAnswer answer =
        claimer.claim(
            new ClaimRequest(queue, config.node(), kinds, most, slots.freeBytes(), config.lease()),
            starter.heldLeases());
    held.answered(queue, answer);
    Optional<Lease> lease = answer.lease();
    lease.ifPresent(taken -> starter.start(taken, askedNanos));
    if (lease.isEmpty()) {
      // A job that ended meanwhile made room after the claim had looked.
      return new Claim(0, answer.full() && !held.isHeld(queue));
    }
    List<Claimed> claimed = lease.get().jobs();
    meters.claimed(claimed.size());
    return new Claim(claimed.size(), answer.mayHaveMore() && !held.isHeld(queue));
  }

  private Duration longer(Duration wait) {
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(config.longestPoll()) < 0 ? twice : config.longestPoll();
  }

  /** With jitter, so that nodes do not look in step. */
  private Duration untilNextLook() {
    long paced = Math.min(LOOK_SHARE * lookTookNanos, config.longestPoll().toNanos());
    double jitter = ThreadLocalRandom.current().nextDouble(0.75, 1.25);
    long nanos = (long) (Math.max(wait.toNanos(), paced) * jitter);
    long now = System.nanoTime();
    if (!ownRetriesNanos.isEmpty()) {
      nanos = Math.min(nanos, ownRetriesNanos.first() - now);
    }
    nanos = held.nanosUntilFirst(nanos);
    return Duration.ofNanos(Math.max(0, nanos));
  }
}
