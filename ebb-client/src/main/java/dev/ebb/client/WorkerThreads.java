package dev.ebb.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The threads of a worker: those that run jobs, and those that tend their leases. */
final class WorkerThreads {
  private static final System.Logger LOG = System.getLogger(WorkerThreads.class.getName());
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** What may be interrupted. */
  interface Work {
    void go() throws InterruptedException;
  }

  /** What says when it wants to come again; {@code null} for never. */
  interface Repeated {
    @Nullable Duration go() throws InterruptedException;
  }

  private final String name;
  private final Consumer<Throwable> onFailure;
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<Thread> started = new CopyOnWriteArrayList<>();
  private final ExecutorService jobs;

  /** One renews, and one interrupts what is late, even while a renewal waits for its answer. */
  private final ScheduledThreadPoolExecutor watch;

  /**
   * @param onFailure told what ends a part that tends the leases: without it the worker would look
   *     alive, and not be
   */
  WorkerThreads(String name, Consumer<Throwable> onFailure) {
    this.name = name;
    this.onFailure = onFailure;
    this.jobs =
        Executors.newCachedThreadPool(work -> new Thread(work, name + " runs " + numbers()));
    this.watch = new ScheduledThreadPoolExecutor(3, work -> daemon(work, "watches"));
    watch.setRemoveOnCancelPolicy(true);
  }

  private int numbers() {
    return numbers.incrementAndGet();
  }

  private Thread daemon(Runnable work, String verb) {
    Thread thread = new Thread(work, name + " " + verb);
    thread.setDaemon(true);
    return thread;
  }

  /** A thread that goes on until it is interrupted. */
  Thread start(String verb, Work work) {
    Thread thread = new Thread(() -> guarded(work), name + " " + verb);
    started.add(thread);
    thread.start();
    return thread;
  }

  /** Runs a job. */
  void run(Runnable job) {
    jobs.execute(job);
  }

  ScheduledFuture<?> after(Duration length, Runnable work) {
    return watch.schedule(work, length.toNanos(), TimeUnit.NANOSECONDS);
  }

  void each(Duration length, Runnable work) {
    long nanos = length.toNanos();
    ScheduledFuture<?> unused =
        watch.scheduleWithFixedDelay(() -> guarded(work::run), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Goes on after as long as each turn says. */
  void repeat(Repeated work) {
    watch.execute(() -> guarded(() -> next(work, work.go())));
  }

  private void next(Repeated work, @Nullable Duration pause) {
    if (pause == null) {
      return;
    }
    try {
      ScheduledFuture<?> unused = after(pause, () -> repeat(work));
    } catch (RejectedExecutionException closed) {
      LOG.log(System.Logger.Level.DEBUG, "the worker is closed", closed);
    }
  }

  private void guarded(Work work) {
    try {
      work.go();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      onFailure.accept(e);
    }
  }

  /** Interrupts them all; jobs have a moment to hear it, for their resources may go next. */
  void close() {
    watch.shutdownNow();
    started.forEach(Thread::interrupt);
    jobs.shutdownNow();
    try {
      boolean unused = jobs.awaitTermination(GRACE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
