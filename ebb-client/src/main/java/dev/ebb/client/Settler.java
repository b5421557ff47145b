package dev.ebb.client;

import dev.ebb.contract.LeaseSettlement;
import dev.ebb.contract.LockedResult;
import dev.ebb.contract.RefusedResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * Tells the server how attempts ended, many at a time, until it has heard it. A job that somebody
 * has locked is put off, and keeps no other waiting.
 */
final class Settler {
  private static final System.Logger LOG = System.getLogger(Settler.class.getName());
  private static final int MOST = 100;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private static final int UNAUTHORIZED = 401;

  /** So often something before the server may refuse, before it is taken to be for the content. */
  private static final int MOST_FOREIGN = 4;

  /** An outcome that is to be told once its time has come. */
  private static final class Ended implements Delayed {
    final Attempt<?> attempt;
    final Outcome outcome;
    final Duration took;
    final boolean corrected;
    private long dueNanos = System.nanoTime();
    private Duration pause = FIRST_PAUSE;

    Ended(Attempt<?> attempt, Outcome outcome, Duration took, boolean corrected) {
      this.attempt = attempt;
      this.outcome = outcome;
      this.took = took;
      this.corrected = corrected;
    }

    /** As a server names it that cannot settle it now. */
    LockedResult locked() {
      return new LockedResult(attempt.lease(), attempt.job());
    }

    String result() {
      return outcome.result(attempt.lease(), attempt.job(), took);
    }

    Ended corrected(EbbProblem problem) {
      return new Ended(attempt, outcome.bare(String.valueOf(problem.getMessage())), took, true);
    }

    /** For twice as long as the last time. */
    void putOff() {
      dueNanos = System.nanoTime() + pause.toNanos();
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  private final LeaseCalls calls;
  private final HeldLeases held;
  private final DelayQueue<Ended> waiting = new DelayQueue<>();
  private final Backoff backoff = new Backoff();

  Settler(LeaseCalls calls, HeldLeases held) {
    this.calls = calls;
    this.held = held;
  }

  /** Will tell this. */
  void tell(Attempt<?> attempt, Outcome outcome) {
    waiting.add(new Ended(attempt, outcome, attempt.took(), false));
  }

  /** Until its thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      List<Ended> batch = new ArrayList<>(List.of(waiting.take()));
      waiting.drainTo(batch, MOST - 1);
      settle(batch.stream().filter(one -> held.has(one.attempt)).toList());
    }
  }

  private void settle(List<Ended> batch) throws InterruptedException {
    if (batch.isEmpty()) {
      return;
    }
    try {
      heard(batch, calls.settle(batch.stream().map(Ended::result).toList()));
      backoff.reset();
    } catch (EbbProblem problem) {
      if (isOfContent(problem)) {
        refused(batch, problem);
      } else {
        again(batch, problem, problem.retryAfter());
      }
    } catch (IOException | RuntimeException lost) {
      again(batch, lost, Duration.ZERO);
    }
  }

  /** Whether it is the same however often it is sent. */
  private boolean isOfContent(EbbProblem problem) {
    int status = problem.status();
    boolean mayBe = status >= 400 && status < 500 && status != UNAUTHORIZED;
    return mayBe
        && !problem.isRetryable()
        && (problem.isFinal() || backoff.failures() >= MOST_FOREIGN);
  }

  private void again(List<Ended> batch, Exception failed, Duration asked)
      throws InterruptedException {
    LOG.log(System.Logger.Level.WARNING, "results are told again: {0}", failed.toString());
    waiting.addAll(batch);
    TimeUnit.NANOSECONDS.sleep(backoff.next(asked).toNanos());
  }

  private void heard(List<Ended> batch, LeaseSettlement answer) {
    for (RefusedResult late : answer.refused()) {
      LOG.log(
          System.Logger.Level.INFO,
          "the result of job {0} came too late: {1}",
          late.id(),
          late.why());
    }
    Set<LockedResult> locked = new HashSet<>(answer.locked());
    for (Ended one : batch) {
      if (locked.contains(one.locked())) {
        one.putOff();
        waiting.add(one);
      } else {
        held.settled(one.attempt);
      }
    }
  }

  /** One result must not keep others from being heard: each is sent alone, or corrected. */
  private void refused(List<Ended> batch, EbbProblem problem) throws InterruptedException {
    if (batch.size() > 1) {
      for (Ended one : batch) {
        settle(List.of(one));
      }
      return;
    }
    Ended one = batch.get(0);
    LOG.log(
        System.Logger.Level.ERROR,
        "the outcome of job {0} is refused: {1}",
        one.attempt.job(),
        problem.getMessage());
    if (one.corrected && problem.isFinal()) {
      held.settled(one.attempt);
    } else if (one.corrected) {
      one.putOff();
      waiting.add(one);
    } else {
      settle(List.of(one.corrected(problem)));
    }
  }
}
