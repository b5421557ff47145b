package dev.ebb.api.leases;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A poll that waits: its request's thread awaits what an asker claims for it. */
final class Waiter {
  /** What keeps jobs from a poll. */
  enum Held {
    /** The rate of a queue lets nothing through yet. */
    LIMIT,
    /** {@code maxConcurrency} jobs of a queue are in flight. */
    FULL,
    /** Somebody asked the worker to poll no more. */
    DRAIN,
    /** The worker said that it stopped. */
    STOPPED,
    /** The cluster's start is paused. */
    START_PAUSED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a poll was given. */
  enum Given {
    /** A lease of its own. */
    LEASE,
    /** Nothing, because its lease was claimed before, by the same request. */
    REPEATED
  }

  private static final long SOME_NANOS = Duration.ofSeconds(1).toNanos();

  /** A poll that does not wait is tried once nevertheless, if that comes so soon. */
  private static final Duration LONGEST_TRIAL = Duration.ofSeconds(2);

  private final Poll poll;
  private final BooleanSupplier hasHungUp;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean claiming;
  private boolean ended;
  private boolean tried;
  private @Nullable Given given;
  private long lease;
  private volatile @Nullable Held held;

  Waiter(Poll poll, BooleanSupplier hasHungUp) {
    this.poll = poll;
    this.hasHungUp = hasHungUp;
  }

  Poll poll() {
    return poll;
  }

  String worker() {
    return poll.worker().name();
  }

  boolean wants(String queue) {
    return poll.worker().queues().contains(queue);
  }

  /** What held its jobs back last; {@code null} for nothing. */
  @Nullable Held held() {
    return held;
  }

  void hold(@Nullable Held why) {
    held = why;
  }

  /** The lease that it was given. */
  long lease() {
    return lease;
  }

  /** Takes the right to claim for it; false if it waits no more, or nobody waits for it. */
  boolean begin() {
    lock.lock();
    try {
      if (ended || claiming || given != null) {
        return false;
      }
      // Its thread cannot leave meanwhile, so that nobody else reads from the connection.
      ended = hasHungUp.getAsBoolean();
      claiming = !ended;
      if (ended) {
        changed.signalAll();
      }
      return claiming;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a claim that gave it nothing. */
  void goOn() {
    end(null, 0);
  }

  /** Ends a claim with its lease. */
  void give(long lease) {
    end(Given.LEASE, lease);
  }

  /** Ends a claim that found its lease claimed. */
  void repeat() {
    end(Given.REPEATED, 0);
  }

  private void end(@Nullable Given what, long id) {
    lock.lock();
    try {
      claiming = false;
      given = what;
      lease = id;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Every queue that is ready was claimed from, for it or for those before it. */
  void tried() {
    lock.lock();
    try {
      tried = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is given what is due, and waits for nothing else. */
  boolean isInHurry() {
    return poll.patience().isZero();
  }

  /** Has it wait no longer, but for a claim that is under way. */
  void stop(@Nullable Held why) {
    lock.lock();
    try {
      held = why == null ? held : why;
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits, and answers what it was given; {@code null} for nothing. */
  @Nullable Given await() throws InterruptedException {
    long nanos = (isInHurry() ? LONGEST_TRIAL : poll.patience()).toNanos();
    lock.lock();
    try {
      while (given == null && (claiming || (!isOver() && nanos > 0))) {
        // The end of a claim is waited for, however long it takes.
        long some = claiming ? SOME_NANOS : nanos;
        nanos -= some - changed.awaitNanos(some);
      }
      ended = true;
      return given;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    return ended || (isInHurry() && tried);
  }
}
