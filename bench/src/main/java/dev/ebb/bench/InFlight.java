package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.time.Duration;
import java.util.Map;

/**
 * Claims by hand beside many jobs whose handlers run on in the same process: none, so many in
 * another queue, so many in the same queue.
 */
record InFlight() implements Workload {
  private static final int JOBS = 10_000;
  private static final int BATCH = 100;
  private static final int QUEUES = 2;

  @Override
  public String id() {
    return "in-flight";
  }

  @Override
  public String sentence() {
    return "Claims of 100 by hand, each completed before the next, beside a node with 10,000 jobs"
        + " whose handlers do not end, and which it renews.";
  }

  /** Whose slots cost a thread each cannot run so many. */
  @Override
  public boolean fits(Entrant entrant) {
    return entrant == Entrant.EBB;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = Math.max(2_000, round.scaled(JOBS));
    round.prepare(1, QUEUES, 0);
    round.fill(0, QUEUES * jobs, Duration.ZERO);
    round.vacuum();
    double none = medianClaim(round, 1, jobs / BATCH);
    var _ = round.first().ask(new Request.Hold(jobs));
    round.fill(0, QUEUES * jobs, Duration.ZERO);
    round.vacuum();
    double other = medianClaim(round, 1, jobs / BATCH);
    double same = medianClaim(round, 0, jobs / BATCH);
    round.leave();
    round.checkStored(0);
    return Figures.of(
        Map.of(
            Figure.CLAIM_NONE, none / 1000,
            Figure.CLAIM_OTHER, other / 1000,
            Figure.CLAIM_SAME, same / 1000,
            Figure.OTHER_RATIO, other / none,
            Figure.SAME_RATIO, same / none));
  }

  private static double medianClaim(Round round, int queue, int times) throws Exception {
    return Stats.median(round.first().ask(new Request.Claims(queue, times, BATCH, true)).samples());
  }
}
