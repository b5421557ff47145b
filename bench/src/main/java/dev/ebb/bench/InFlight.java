package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.time.Duration;
import java.util.Map;

/**
 * Claims by hand beside many jobs that another worker has claimed and not settled: none, so many in
 * another queue, so many in the same queue.
 */
record InFlight() implements Workload {
  private static final int JOBS = 10_000;
  private static final int LEASE = 500;
  private static final int BATCH = 100;
  private static final int QUEUES = 2;

  @Override
  public String id() {
    return "in-flight";
  }

  @Override
  public String sentence() {
    return "Claims of 100 beside 10,000 claimed jobs whose handlers have not ended,"
        + " claimed 500 at a time.";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return entrant.contender(Target.NOWHERE) instanceof DirectClaims;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = Math.max(2_000, round.scaled(JOBS));
    round.prepare(1, QUEUES, 0);
    fill(round, jobs);
    double none = medianClaim(round, 1, jobs / BATCH);
    var _ = round.first().ask(new Request.Claims(0, jobs / LEASE, LEASE, false));
    fill(round, jobs);
    double other = medianClaim(round, 1, jobs / BATCH);
    double same = medianClaim(round, 0, jobs / BATCH);
    round.leave();
    round.checkStored(jobs);
    return Figures.of(
        Map.of(
            Figure.CLAIM_NONE, none / 1000,
            Figure.CLAIM_OTHER, other / 1000,
            Figure.CLAIM_SAME, same / 1000,
            Figure.OTHER_RATIO, other / none,
            Figure.SAME_RATIO, same / none));
  }

  /** Fills both queues alike. */
  private static void fill(Round round, int jobs) throws Exception {
    round.open();
    round.fill(0, QUEUES * jobs, Duration.ZERO);
    round.rest();
    round.open();
  }

  private static double medianClaim(Round round, int queue, int times) throws Exception {
    return Stats.median(round.first().ask(new Request.Claims(queue, times, BATCH, true)).samples());
  }
}
