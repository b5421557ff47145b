package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.report.Figure;
import java.util.List;
import java.util.Map;

/** Submits at a fixed pace to a node that waits for jobs. */
record Latency(String id, int perSecond) implements WarmsUpItself {
  private static final int THREADS = 8;
  private static final int SECONDS = 15;
  private static final int WARM_UP_SECONDS = 3;

  @Override
  public String sentence() {
    return "From the return of a submit's commit to its handler's start, in one process that"
        + " submits and runs; eight threads, paced to "
        + perSecond
        + "/s together. A system that falls behind slows them down: see its jobs/s. Transactions"
        + " and dead rows are those of the warm-up too, by share.";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return perSecond == 100 ? entrant.isPossible() : entrant.isPlain();
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int warm = WARM_UP_SECONDS * perSecond;
    int jobs = round.scaled(SECONDS * perSecond);
    round.prepare(warm + jobs, 1, 0);
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    round.start();
    var _ = round.first().ask(new Request.Pace(0, warm, perSecond, THREADS, false));
    meter.begin();
    List<Integer> micros =
        round.first().ask(new Request.Pace(warm, warm + jobs, perSecond, THREADS, false)).samples();
    meter.endWhenEnded(warm + jobs);
    round.leaveAndCheck(warm + jobs);
    Map<Figure, Double> figures = meter.perJob(jobs);
    // Known only of both parts together.
    double share = jobs / (double) (warm + jobs);
    figures.computeIfPresent(Figure.TRANSACTIONS, (_, value) -> value * share);
    figures.computeIfPresent(Figure.DEAD, (_, value) -> value * share);
    figures.putAll(Figures.percentiles(micros));
    return figures;
  }
}
