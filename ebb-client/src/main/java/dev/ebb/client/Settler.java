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
import org.jspecify.annotations.Nullable;

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

  /** So often something before the server may refuse, before each result is sent alone. */
  private static final int MOST_FOREIGN = 4;

  /** For so long it may refuse a result alone, before that is taken to be for the content. */
  private static final Duration FOREIGN_LASTS = Duration.ofSeconds(10);

  /** An outcome that is to be told once its time has come. */
  private static final class Ended implements Delayed {
    final Attempt<?> attempt;
    final Outcome outcome;
    final Duration took;

    /** Of which it is the bare form; {@code null} if it is not. */
    final @Nullable Ended whole;

    private long dueNanos = System.nanoTime();
    private Duration pause = FIRST_PAUSE;
    private @Nullable Long refusedNanos;

    Ended(Attempt<?> attempt, Outcome outcome, Duration took, @Nullable Ended whole) {
      this.attempt = attempt;
      this.outcome = outcome;
      this.took = took;
      this.whole = whole;
    }

    /** As a server names it that cannot settle it now. */
    LockedResult locked() {
      return new LockedResult(attempt.lease(), attempt.job());
    }

    String result() {
      return outcome.result(attempt.lease(), attempt.job(), took);
    }

    private Ended bare(EbbProblem problem) {
      return new Ended(attempt, outcome.bare(String.valueOf(problem.getMessage())), took, this);
    }

    /** What is sent after something before the server has refused it alone. */
    Ended next(EbbProblem problem) {
      if (whole != null) {
        // The refusal was not for what the bare form has left out.
        return whole.putOff();
      }
      long now = System.nanoTime();
      refusedNanos = refusedNanos == null ? now : refusedNanos;
      return now - refusedNanos < FOREIGN_LASTS.toNanos() ? putOff() : bare(problem);
    }

    /** Whether something before the server has refused it alone, whole or bare. */
    boolean wasRefused() {
      return (whole == null ? this : whole).refusedNanos != null;
    }

    /** For twice as long as the last time. */
    Ended putOff() {
      dueNanos = System.nanoTime() + pause.toNanos();
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
      return this;
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
    waiting.add(new Ended(attempt, outcome, attempt.took(), null));
  }

  /** Until its thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      List<Ended> batch = new ArrayList<>(List.of(waiting.take()));
      waiting.drainTo(batch, MOST - 1);
      batch.removeIf(one -> !held.has(one.attempt));
      // What was refused alone goes alone again, and holds up no other.
      List<Ended> alone = batch.stream().filter(Ended::wasRefused).toList();
      batch.removeAll(alone);
      settle(batch);
      for (Ended one : alone) {
        settle(List.of(one));
      }
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
      if (isOfContent(batch, problem)) {
        refused(batch, problem);
      } else {
        again(batch, problem, problem.retryAfter());
      }
    } catch (IOException | RuntimeException lost) {
      again(batch, lost, Duration.ZERO);
    }
  }

  /** Whether it may be the same however often it is sent. */
  private boolean isOfContent(List<Ended> batch, EbbProblem problem) {
    int status = problem.status();
    boolean mayBe = status >= 400 && status < 500 && status != UNAUTHORIZED;
    boolean hasLasted = backoff.failures() >= MOST_FOREIGN || batch.get(0).wasRefused();
    boolean isForeign = problem.code().isEmpty() && hasLasted;
    return mayBe && !problem.isRetryable() && (problem.isFinal() || isForeign);
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
        waiting.add(one.putOff());
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
        problem.isFinal() ? System.Logger.Level.ERROR : System.Logger.Level.WARNING,
        "the outcome of job {0} is refused: {1}",
        one.attempt.job(),
        problem.getMessage());
    if (!problem.isFinal()) {
      waiting.add(one.next(problem));
    } else if (one.whole == null) {
      settle(List.of(one.bare(problem)));
    } else {
      held.settled(one.attempt);
    }
  }
}
