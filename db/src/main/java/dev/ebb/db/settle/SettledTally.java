package dev.ebb.db.settle;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.util.List;

/** What is counted of settlements that do not complete a job. */
final class SettledTally {
  private final Tally tally = new Tally();

  private SettledTally() {}

  static Tally of(List<FinishedAttempt> settled) {
    SettledTally counted = new SettledTally();
    settled.forEach(counted::add);
    return counted.tally;
  }

  private void add(FinishedAttempt settled) {
    switch (settled.settlement()) {
      case Settlement.Retry _ -> failed(settled);
      case Settlement.DeadLetter _ -> {
        failed(settled);
        add(Counter.DEAD, settled);
      }
      case Settlement.Cancel _ -> add(Counter.CANCELLED, settled);
      case Settlement.GiveBack _ -> add(Counter.GIVEN_BACK, settled);
      case Settlement.Snooze _ -> add(Counter.SNOOZED, settled);
      case Settlement.Complete _ -> {}
    }
  }

  private void failed(FinishedAttempt settled) {
    boolean throttled = settled.outcome() instanceof Outcome.Throttled;
    tally.add(
        throttled ? Counter.THROTTLED : Counter.FAILED,
        settled.claimed().job().queue(),
        settled.claimed().job().kind(),
        settled.took());
  }

  private void add(Counter counter, FinishedAttempt settled) {
    tally.add(counter, settled.claimed().job().queue(), settled.claimed().job().kind());
  }
}
