package dev.ebb.bench.workload;

import dev.ebb.bench.report.Figure;
import java.util.Map;

/** Runs jobs that fail twice and are retried after a second each time. */
record RetryStorm() implements Workload {
  private static final int FAILURES = 2;

  @Override
  public String id() {
    return "retry-storm";
  }

  @Override
  public String sentence() {
    return "Jobs that fail twice and run again after a second each time;"
        + " the wall time holds both seconds.";
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(round.sizes().storm());
    round.prepare(jobs, 1, FAILURES);
    Meter meter = Drain.drain(round, jobs);
    Map<Figure, Double> figures = meter.perJob(jobs);
    figures.put(Figure.ATTEMPT_STATEMENTS, meter.statements() / jobs / (FAILURES + 1));
    return figures;
  }
}
