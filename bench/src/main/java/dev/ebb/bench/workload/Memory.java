package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.report.Figure;
import java.util.Map;

/** A node with a small heap drains a great many due jobs, and lives. */
record Memory() implements OfEbb {
  private static final int JOBS = 1_000_000;

  @Override
  public String id() {
    return "memory";
  }

  @Override
  public String sentence() {
    return "A node with `-Xmx256m` while 1,000,000 jobs are due;"
        + " the heap is what collections left in use.";
  }

  @Override
  public String heap() {
    return "256m";
  }

  @Override
  public double warmUp() {
    return 0;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(JOBS);
    round.prepare(jobs, 1, 0);
    Meter meter = Drain.begin(round, jobs);
    meter.endWhenEnded(jobs);
    // Before the harness makes the child list its runs.
    double heap = round.first().ask(new Request.Heap()).value();
    round.leaveAndCheck(jobs);
    return Figures.of(
        Map.of(
            Figure.RATE,
            jobs / meter.seconds(),
            Figure.SECONDS,
            meter.seconds(),
            Figure.CPU_NODE,
            meter.nodeMicros() / jobs,
            Figure.HEAP,
            heap));
  }
}
