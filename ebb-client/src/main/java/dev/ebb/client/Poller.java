package dev.ebb.client;

import dev.ebb.contract.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Polls for as many jobs as can start at once, one poll after the other. */
final class Poller {
  private static final System.Logger LOG = System.getLogger(Poller.class.getName());
  private static final int MOST = 64;
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** Starts the jobs of a lease; each gives its slot back. */
  interface Starter {
    /**
     * The lease of a repeated poll may be older than it looks.
     *
     * @param since from when on there is the lease, by the monotonic clock
     */
    void start(Lease lease, long since, boolean repeated);
  }

  private final LeaseCalls calls;
  private final Wish wish;
  private final Semaphore slots;
  private final Renewer renewer;
  private final HeldLeases held;
  private final Starter starter;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Backoff backoff = new Backoff();

  Poller(
      LeaseCalls calls,
      Wish wish,
      Semaphore slots,
      Renewer renewer,
      HeldLeases held,
      Starter starter) {
    this.calls = calls;
    this.wish = wish;
    this.slots = slots;
    this.renewer = renewer;
    this.held = held;
    this.starter = starter;
  }

  /** Has it end after the poll that is on its way. */
  void stop() {
    stopping.countDown();
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Until it is stopped; an {@link EbbProblem} that will not pass ends it, too. */
  void run() throws InterruptedException {
    while (!isStopping()) {
      if (renewer.isDraining() && !held.isEmpty()) {
        pause(SHORT);
      } else if (canTell() && slots.tryAcquire(200, TimeUnit.MILLISECONDS)) {
        poll(1 + more());
      }
    }
  }

  /**
   * Where outcomes cannot be told, it polls only while the jobs that run and those that wait to be
   * told are together fewer than twice the slots.
   */
  private boolean canTell() throws InterruptedException {
    return held.awaitAtMost(2 * wish.slots() - 1, TimeUnit.MILLISECONDS.toNanos(200));
  }

  /** The slots that are free beside the one that was waited for. */
  private int more() {
    int more = 0;
    while (more < MOST - 1 && slots.tryAcquire()) {
      more++;
    }
    return more;
  }

  private void poll(int room) throws InterruptedException {
    int unused = room;
    try {
      String body = wish.body(room);
      boolean repeated = false;
      while (!isStopping()) {
        long sent = System.nanoTime();
        try {
          LeaseCalls.Polled polled = calls.poll(body, wish.patience());
          backoff.reset();
          unused -= answered(polled, repeated, sent);
          return;
        } catch (IOException lost) {
          LOG.log(System.Logger.Level.WARNING, "a poll is repeated: {0}", lost.toString());
          pause(backoff.next(Duration.ZERO));
        } catch (EbbProblem problem) {
          pauseFor(problem);
        }
        // Whatever failed, the server may have leased before.
        repeated = true;
      }
    } finally {
      slots.release(unused);
    }
  }

  private void pauseFor(EbbProblem problem) throws InterruptedException {
    if (problem.isFinal()) {
      throw problem;
    }
    LOG.log(System.Logger.Level.WARNING, "a poll is repeated: {0}", problem.getMessage());
    pause(backoff.next(problem.retryAfter()));
  }

  /** Answers how many slots are taken. */
  private int answered(LeaseCalls.Polled polled, boolean repeated, long sent)
      throws InterruptedException {
    renewer.draining(polled.held().equals("drain"));
    Lease lease = polled.lease();
    if (lease != null) {
      starter.start(lease, polled.since(), repeated);
      return lease.jobs().size();
    }
    Duration least = wish.patience().isZero() ? SHORT : wish.patience();
    if (System.nanoTime() - sent < Math.min(SHORT.toNanos(), least.toNanos())) {
      pause(SHORT);
    }
    return 0;
  }

  private void pause(Duration length) throws InterruptedException {
    boolean unused = stopping.await(length.toNanos(), TimeUnit.NANOSECONDS);
  }
}
