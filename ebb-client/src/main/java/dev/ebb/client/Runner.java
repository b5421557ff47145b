package dev.ebb.client;

import dev.ebb.contract.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;

/** Runs the jobs of leases, each in a thread of its own, and passes on how they ended. */
final class Runner implements Poller.Starter {
  private final Handlers handlers;
  private final HeldLeases held;
  private final Semaphore slots;
  private final Renewer renewer;
  private final Settler settler;
  private final WorkerThreads threads;
  private volatile boolean closing;

  Runner(
      Handlers handlers,
      HeldLeases held,
      Semaphore slots,
      Renewer renewer,
      Settler settler,
      WorkerThreads threads) {
    this.handlers = handlers;
    this.held = held;
    this.slots = slots;
    this.renewer = renewer;
    this.settler = settler;
    this.threads = threads;
  }

  /** What comes from now on is given back. */
  void close() {
    closing = true;
  }

  /**
   * A repeated answer may be of a lease that has lasted a while: it is renewed at once, and again
   * until that is heard.
   */
  @Override
  public void start(Lease lease, long since, boolean repeated) {
    List<Attempt<?>> attempts = attempts(lease);
    Duration certain = repeated ? lease.length().dividedBy(3) : lease.length();
    held.add(lease, attempts, since + certain.toNanos());
    if (repeated) {
      threads.repeat(() -> renewer.renew() ? null : Renewer.AGAIN);
    }
    if (closing) {
      attempts.forEach(attempt -> attempt.stop(Stop.CLOSING));
    }
    attempts.forEach(attempt -> threads.run(() -> run(attempt)));
  }

  private List<Attempt<?>> attempts(Lease lease) {
    List<Attempt<?>> attempts = new ArrayList<>();
    lease.jobs().forEach(job -> attempts.add(handlers.attempt(lease, job)));
    return attempts;
  }

  private void run(Attempt<?> attempt) {
    ScheduledFuture<?> timer = threads.after(attempt.timeout(), () -> attempt.stop(Stop.TIMEOUT));
    try {
      Outcome outcome = attempt.perform();
      if (attempt.tells()) {
        settler.tell(attempt, outcome);
      }
    } finally {
      timer.cancel(false);
      slots.release();
    }
  }
}
