package dev.ebb.client;

import dev.ebb.contract.LeaseSettlement;
import dev.ebb.contract.LockedResult;
import dev.ebb.contract.RefusedResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tells the server how attempts ended, many at a time, until it has heard it. */
final class Settler implements Runnable {
  private static final System.Logger LOG = System.getLogger(Settler.class.getName());
  private static final int MOST = 100;

  /** What is the same however often it is sent. */
  private static final Set<Integer> REFUSED = Set.of(400, 413, 422);

  private static final String OUTCOME_REFUSED = "outcome_refused";

  private record Ended(Attempt<?> attempt, Outcome outcome, Duration took) {
    String result() {
      return outcome.result(attempt.lease(), attempt.job(), took);
    }

    Ended refused(EbbProblem problem) {
      return new Ended(
          attempt, Outcome.failed(OUTCOME_REFUSED, String.valueOf(problem.getMessage())), took);
    }
  }

  private final LeaseCalls calls;
  private final HeldLeases held;
  private final BlockingQueue<Ended> waiting = new LinkedBlockingQueue<>();
  private final Backoff backoff = new Backoff();

  Settler(LeaseCalls calls, HeldLeases held) {
    this.calls = calls;
    this.held = held;
  }

  /** Will tell this. */
  void tell(Attempt<?> attempt, Outcome outcome) {
    waiting.add(new Ended(attempt, outcome, attempt.took()));
  }

  /** Until its thread is interrupted. */
  @Override
  public void run() {
    try {
      while (true) {
        List<Ended> batch = new ArrayList<>(List.of(waiting.take()));
        waiting.drainTo(batch, MOST - 1);
        settle(batch);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void settle(List<Ended> ended) throws InterruptedException {
    List<Ended> batch = ended;
    while (!batch.isEmpty()) {
      Duration asked = Duration.ZERO;
      try {
        batch = send(batch);
        if (batch.isEmpty()) {
          backoff.reset();
          return;
        }
      } catch (EbbProblem problem) {
        if (REFUSED.contains(problem.status())) {
          refused(batch, problem);
          return;
        }
        LOG.log(System.Logger.Level.WARNING, "results are told again: {0}", problem.getMessage());
        asked = problem.retryAfter();
      } catch (IOException | RuntimeException lost) {
        LOG.log(System.Logger.Level.WARNING, "results are told again: {0}", lost.toString());
      }
      TimeUnit.NANOSECONDS.sleep(backoff.next(asked).toNanos());
      batch = batch.stream().filter(one -> held.has(one.attempt)).toList();
    }
  }

  /** Answers what is to be sent again, because somebody has locked the job. */
  private List<Ended> send(List<Ended> batch) throws IOException, InterruptedException {
    LeaseSettlement answer = calls.settle(batch.stream().map(Ended::result).toList());
    Map<LockedResult, Ended> open = new HashMap<>();
    batch.forEach(one -> open.put(new LockedResult(one.attempt.lease(), one.attempt.job()), one));
    List<Ended> again =
        answer.locked().stream().map(open::remove).filter(one -> one != null).toList();
    for (RefusedResult late : answer.refused()) {
      LOG.log(
          System.Logger.Level.INFO,
          "the result of job {0} came too late: {1}",
          late.id(),
          late.why());
    }
    open.values().forEach(one -> held.settled(one.attempt));
    return again;
  }

  /** One result must not keep others from being heard: each is sent alone, or as a failure. */
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
    if (one.outcome.toString().contains(OUTCOME_REFUSED)) {
      held.settled(one.attempt);
    } else {
      settle(List.of(one.refused(problem)));
    }
  }
}
