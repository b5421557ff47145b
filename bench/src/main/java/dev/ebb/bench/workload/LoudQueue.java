package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Jobs that come to quiet queues beside one with a backlog of slow jobs, and before it the same
 * alone in another database.
 */
record LoudQueue() implements OfEbb, WarmsUpItself {
  private static final int QUIET = 199;
  private static final int BACKLOG = 1_000_000;
  private static final int THREADS = 8;
  private static final int SECONDS = 20;
  private static final int WARM_UP_SECONDS = 3;

  @Override
  public String id() {
    return "one-loud-queue";
  }

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "A job a second in each of %,d queues, beside a queue with %,d due jobs that run for 500 ms"
            + " each; from the return of a submit's commit to its handler's start, in one process"
            + " that submits and runs, and the same without that queue.",
        QUIET,
        BACKLOG);
  }

  @Override
  public Map<Figure, Double> run(Round loud) throws Exception {
    List<Integer> lone;
    try (Round alone = loud.beside()) {
      lone = measure(alone, 0);
    }
    List<Integer> micros = measure(loud, loud.scaled(BACKLOG));
    Map<Figure, Double> figures = Figures.of(Figures.percentiles(micros));
    figures.put(Figure.JOBS, (double) micros.size());
    figures.put(Figure.ALONE_P99, Stats.percentile(lone, 0.99) / 1000);
    return figures;
  }

  private static List<Integer> measure(Round round, int backlog) throws Exception {
    int warm = WARM_UP_SECONDS * QUIET;
    int jobs = warm + round.scaled(SECONDS * QUIET);
    round.prepare(jobs + backlog, QUIET, 0);
    if (backlog > 0) {
      var _ = round.first().ask(new Request.FillLoud(jobs, jobs + backlog));
    }
    round.rest();
    round.open();
    round.start();
    if (backlog > 0) {
      // It has been opened anew: it stores none, and knows again which they are.
      var _ = round.first().ask(new Request.FillLoud(jobs, jobs));
    }
    var _ = round.first().ask(pace(0, warm));
    List<Integer> micros = round.first().ask(pace(warm, jobs)).samples();
    round.checkRuns(jobs, round.runs());
    round.leave();
    return micros;
  }

  private static Request.Pace pace(int from, int to) {
    return new Request.Pace(from, to, QUIET, THREADS, true);
  }
}
