package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.report.Figure;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Jobs that come now and then to each of very many limited queues. */
record ManyQueues() implements OfEbb, WarmsUpItself {
  private static final int QUEUES = 10_000;
  private static final int PER_SECOND = 2_000;
  private static final int LIMIT = 20;
  private static final int THREADS = 16;
  private static final int SECONDS = 15;
  private static final int WARM_UP_SECONDS = 5;

  @Override
  public String id() {
    return "queues-10000";
  }

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "%,d jobs a second in all, a Poisson process uniform over %,d queues that are limited to"
            + " %s a second each; from the return of a submit's commit to its handler's start, in"
            + " one process that submits and runs.",
        PER_SECOND,
        QUEUES,
        LIMIT);
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int warm = round.scaled(WARM_UP_SECONDS * PER_SECOND);
    int jobs = round.scaled(SECONDS * PER_SECOND);
    round.prepare(warm + jobs, QUEUES, 0);
    var _ = round.first().ask(new Request.Limit(LIMIT));
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    round.start();
    var _ = round.first().ask(pace(0, warm));
    meter.begin();
    List<Integer> micros = round.first().ask(pace(warm, warm + jobs)).samples();
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

  private static Request.Pace pace(int from, int to) {
    return new Request.Pace(from, to, PER_SECOND, THREADS, true);
  }
}
