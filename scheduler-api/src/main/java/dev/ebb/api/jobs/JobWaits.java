package dev.ebb.api.jobs;

import dev.ebb.api.problem.Refusal;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Requests that wait for a change of their job. None holds a connection meanwhile: as long as there
 * are any, one statement asks for the marks of all their jobs, twice a second.
 *
 * <p>As a {@link SmartLifecycle} of the default phase it ends before the server waits for the
 * requests under way: every wait ends then.
 */
public final class JobWaits implements SmartLifecycle {
  static final int MOST = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Logger LOG = LoggerFactory.getLogger(JobWaits.class);

  private final JobReads reads;
  private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
  private final Semaphore places = new Semaphore(MOST);
  private final Semaphore came = new Semaphore(0);
  private volatile boolean running;
  private @Nullable Thread thread;
  private boolean failing;

  JobWaits(JobReads reads) {
    this.reads = reads;
  }

  /** A request that waits; it is equal to no other. */
  private static final class Waiter {
    private final UUID job;
    private final @Nullable String mark;
    private final CountDownLatch changed = new CountDownLatch(1);

    private Waiter(UUID job, @Nullable String mark) {
      this.job = job;
      this.mark = mark;
    }
  }

  /** A place among those that wait. */
  final class Place implements AutoCloseable {
    private final UUID job;

    private Place(UUID job) {
      this.job = job;
    }

    /** The job's mark, to be asked for before the job is read; {@code null} once it ended. */
    @Nullable String mark() throws SQLException {
      return reads.marks(List.of(job)).get(job);
    }

    /** Waits until the job's mark is another, the time is over or the server stops. */
    void await(@Nullable String mark, Duration atMost) throws InterruptedException {
      Waiter waiter = new Waiter(job, mark);
      waiters.add(waiter);
      came.release();
      try {
        if (running) {
          var _ = waiter.changed.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        }
      } finally {
        waiters.remove(waiter);
      }
    }

    @Override
    public void close() {
      places.release();
    }
  }

  /** A place to wait for the job, to be closed; a {@link Refusal} if all are taken. */
  Place enter(UUID job) {
    if (!places.tryAcquire()) {
      throw Refusal.busy("Too many requests wait for jobs. Repeat the request.");
    }
    return new Place(job);
  }

  private void run() {
    try {
      while (running) {
        if (waiters.isEmpty()) {
          came.acquire();
          came.drainPermits();
        }
        Thread.sleep(PAUSE);
        wake();
      }
    } catch (InterruptedException stopped) {
      LOG.debug("No request waits for a job any more");
    }
  }

  /** A failure costs no more than time: whoever waited too long asks for the job itself. */
  private void wake() {
    try {
      List<Waiter> waiting = List.copyOf(waiters);
      if (!waiting.isEmpty()) {
        List<UUID> jobs = waiting.stream().map(waiter -> waiter.job).distinct().toList();
        Map<UUID, String> marks = reads.marks(jobs);
        waiting.stream()
            .filter(waiter -> !Objects.equals(marks.get(waiter.job), waiter.mark))
            .forEach(waiter -> waiter.changed.countDown());
      }
      failing = false;
    } catch (SQLException | RuntimeException e) {
      if (!failing) {
        LOG.warn("Requests that wait for jobs are not told of changes: {}", e.getMessage());
      }
      failing = true;
    }
  }

  @Override
  public synchronized void start() {
    running = true;
    thread = Thread.ofPlatform().daemon().name("ebb-job-waits").start(this::run);
  }

  @Override
  public synchronized void stop() {
    running = false;
    if (thread != null) {
      thread.interrupt();
    }
    waiters.forEach(waiter -> waiter.changed.countDown());
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
