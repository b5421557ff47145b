package dev.ebb.bench.child;

import dev.ebb.bench.contender.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Threads that submit jobs one by one. */
public final class Submitters {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private Submitters() {}

  /** Submits as fast as the threads can, and answers how long each took, in microseconds. */
  static List<Integer> flood(Contender contender, Request.Submit submit) throws Exception {
    int[] micros = new int[submit.to() - submit.from()];
    onThreads(
        submit.threads(),
        thread -> {
          for (int i = thread; i < micros.length; i += submit.threads()) {
            long start = System.nanoTime();
            contender.submit(submit.from() + i);
            micros[i] = micros(System.nanoTime() - start);
          }
        });
    return IntStream.of(micros).boxed().toList();
  }

  /**
   * Submits at a pace, and answers how long each job took from its commit to its handler's start,
   * in microseconds.
   */
  static List<Integer> pace(Contender contender, Runs runs, Request.Pace pace) throws Exception {
    int before = runs.succeeded();
    long[] committed = submit(contender::submit, pace);
    awaitSucceeded(runs, before + committed.length);
    return sinceCommit(committed, i -> runs.startedNanos(pace.from() + i));
  }

  /** Submits the job with a number, and returns when that is committed. */
  @FunctionalInterface
  public interface Submit {
    void job(int number) throws Exception;
  }

  /**
   * Submits each number when it is due or, if later, when its thread's last submit has returned,
   * and answers when each was committed, in nanoseconds of the JVM's clock.
   */
  public static long[] submit(Submit submit, Request.Pace pace) throws Exception {
    long[] due = due(pace);
    long[] committed = new long[due.length];
    long start = System.nanoTime();
    onThreads(
        pace.threads(),
        thread -> {
          for (int i = thread; i < due.length; i += pace.threads()) {
            sleepUntil(start + due[i]);
            submit.job(pace.from() + i);
            committed[i] = System.nanoTime();
          }
        });
    return committed;
  }

  /** How long after its commit each came to its end, in microseconds. */
  public static List<Integer> sinceCommit(long[] committed, IntToLongFunction endNanos) {
    return IntStream.range(0, committed.length)
        .mapToObj(i -> micros(endNanos.applyAsLong(i) - committed[i]))
        .toList();
  }

  /** When each is due, in nanoseconds from the beginning. */
  private static long[] due(Request.Pace pace) {
    // The same in each round.
    Random random = new Random(pace.from());
    double mean = 1e9 / pace.perSecond();
    double at = 0;
    long[] due = new long[pace.to() - pace.from()];
    for (int i = 0; i < due.length; i++) {
      due[i] = (long) at;
      at += pace.byChance() ? -Math.log(1 - random.nextDouble()) * mean : mean;
    }
    return due;
  }

  /** A job may start before its submitter hears of the commit. */
  private static int micros(long nanos) {
    return Math.toIntExact(Math.max(0, nanos / 1000));
  }

  private static void sleepUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void awaitSucceeded(Runs runs, int jobs) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (runs.succeeded() < jobs) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(runs.succeeded() + " of " + jobs + " jobs ran");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @FunctionalInterface
  public interface Share {
    void of(int thread) throws Exception;
  }

  /** Runs the share of each thread, and throws what one of them threw. */
  public static void onThreads(int threads, Share share) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Callable<Boolean>> shares = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        shares.add(() -> {
          share.of(thread);
          return true;
        });
      }
      for (Future<Boolean> future : executor.invokeAll(shares)) {
        future.get();
      }
    }
  }
}
