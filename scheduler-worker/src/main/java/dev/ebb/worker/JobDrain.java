package dev.ebb.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of the jobs that run: lets them end for a while, interrupts the others and gives them
 * back, and has every outcome written.
 */
final class JobDrain {
  private static final Logger LOG = LoggerFactory.getLogger(JobDrain.class);
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

  private final JobExecutor executor;
  private final Settler settler;
  private final CountDownLatch hurried = new CountDownLatch(1);

  JobDrain(JobExecutor executor, Settler settler) {
    this.executor = executor;
    this.settler = settler;
  }

  /** Has a drain that is under way, or comes, interrupt the running jobs at once. */
  void hurry() {
    hurried.countDown();
  }

  /**
   * Drains; nothing is claimed any more.
   *
   * @param patience with the jobs that run
   */
  void run(Duration patience) throws InterruptedException {
    if (!awaitNoneRunning(patience, hurried)) {
      LOG.info("drain: interrupting {} jobs that are still running", executor.running().size());
      executor.running().forEach(execution -> execution.end(Execution.End.SHUTDOWN));
      awaitNoneRunning(AFTER_INTERRUPT, new CountDownLatch(1));
      executor.running().forEach(executor::abandon);
    }
    if (!settler.drain(AFTER_INTERRUPT)) {
      LOG.warn("drain: the database does not answer; unsettled jobs will be rescued");
    }
  }

  /** Whether no job runs, within that time and until somebody is in a hurry. */
  private boolean awaitNoneRunning(Duration patience, CountDownLatch hurry)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!executor.running().isEmpty() && System.nanoTime() - deadline < 0) {
      if (hurry.await(5, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    return executor.running().isEmpty();
  }
}
