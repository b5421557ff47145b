package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.report.Figure;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Submits at a fixed pace to a queue that is full of due jobs of a kind that no node serves. */
record Unserved() implements OfEbb, WarmsUpItself {
  private static final int OTHERS = 2_000_000;
  private static final int PER_SECOND = 100;
  private static final int THREADS = 8;
  private static final int SECONDS = 15;

  /** Until the node has come through all of the others once. */
  private static final int WARM_UP_SECONDS = 10;

  private static final String REMOVED = "delete from ebb.job where kind = 'unserved'";

  @Override
  public String id() {
    return "unserved";
  }

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "trickle in a queue with %,d due jobs of a kind that no node serves, after %s s of it.",
        OTHERS,
        WARM_UP_SECONDS);
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int warm = WARM_UP_SECONDS * PER_SECOND;
    int jobs = round.scaled(SECONDS * PER_SECOND);
    round.prepare(warm + jobs, 1, 0);
    round.execute(ofAnotherKind(round.scaled(OTHERS)));
    round.rest();
    round.open();
    round.start();
    var _ = round.first().ask(pace(0, warm));
    List<Integer> micros = round.first().ask(pace(warm, warm + jobs)).samples();
    round.execute(REMOVED);
    round.leaveAndCheck(warm + jobs);
    Map<Figure, Double> figures = Figures.of(Figures.percentiles(micros));
    figures.put(Figure.JOBS, (double) round.scaled(OTHERS));
    return figures;
  }

  private static String ofAnotherKind(int count) {
    return """
    insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
    select
      'default', 'unserved', 5, now() - interval '1 hour' + i * interval '1 ms', 16, '{}'
    from generate_series(1, %s) i
    """
        .formatted(count);
  }

  private static Request.Pace pace(int from, int to) {
    return new Request.Pace(from, to, PER_SECOND, THREADS, false);
  }
}
