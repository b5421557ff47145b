package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.report.Figure;
import java.util.List;
import java.util.Map;

/** Stores jobs: one by one from eight threads, or in bulk from one. */
record Submits(String id, boolean bulk) implements Workload {
  private static final int THREADS = 8;

  @Override
  public String sentence() {
    return bulk
        ? "Jobs stored in bulk from one thread, 1,000 at a time where the system lets one say so."
        : "Jobs stored one by one from " + THREADS + " threads, each committed before the next.";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return !entrant.isForeign();
  }

  /** In bulk a JVM goes on compiling what it does for longer than a round takes. */
  @Override
  public double warmUp() {
    return bulk ? 3 : 1;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(bulk ? round.sizes().bulk() : round.sizes().singles());
    round.prepare(jobs, 1, 0);
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    meter.begin();
    Request request = bulk ? new Request.Fill(0, jobs, 0) : new Request.Submit(0, jobs, THREADS);
    List<Integer> micros = round.first().ask(request).samples();
    meter.end();
    round.leave();
    round.checkStored(jobs);
    Map<Figure, Double> figures = meter.perJob(jobs);
    if (!bulk) {
      figures.putAll(Figures.percentiles(micros));
    }
    return figures;
  }
}
