package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import dev.ebb.core.limit.RateLimit;
import java.sql.Connection;
import java.util.Locale;
import java.util.Map;

/**
 * A drain of a queue with a limit.
 *
 * @param rate permits a second; where it is the highest that can be set, it never binds, and what
 *     is measured is what the limiter itself costs
 */
record LimitedDrain(String id, double rate) implements OfEbb {
  /** Takes 20 seconds where it binds: what a node's start takes is then little. */
  private static final double SECONDS = 20;

  @Override
  public String sentence() {
    return "No-op jobs that were stored before, one node on one queue with a rateLimit of"
        + String.format(Locale.ROOT, " %,.0f permits/s", rate)
        + (binds() ? "." : ", the highest, which is never reached.");
  }

  private boolean binds() {
    return rate < RateLimit.MAX_RATE;
  }

  @Override
  public String together() {
    return binds() ? id : Drain.together(1);
  }

  @Override
  public double warmUp() {
    return binds() ? 0.25 : 1;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(binds() ? (int) (SECONDS * rate) : round.sizes().drain());
    round.prepare(jobs, 1, 0);
    var _ = round.first().ask(new Request.Limit(rate));
    Map<Figure, Double> figures = Drain.drain(round, jobs).perJob(jobs);
    try (Connection eyes = round.connect()) {
      if (Sql.number(eyes, "select count(*) from ebb.limiter") != 1) {
        throw new CheckFailed("the limit was not in force");
      }
    }
    return figures;
  }
}
