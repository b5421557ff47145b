package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs due jobs beside many that are due in ten days, and before that the same without those. Both
 * are done five times, because so few jobs are gone in an instant.
 */
record Parked() implements Workload {
  private static final int TIMES = 5;

  /** Not counted: the first drains compile what the later ones run. */
  private static final int WARM_UPS = 3;

  private static final Duration LATER = Duration.ofDays(10);

  @Override
  public String id() {
    return "parked";
  }

  @Override
  public String sentence() {
    return "Due jobs among many that are due in ten days, against the same jobs alone, until the"
        + " last handler has run; five times each. Jobs are the parked ones.";
  }

  @Override
  public double warmUp() {
    return 0.5;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int due = round.scaled(round.sizes().due());
    int parked = round.scaled(round.sizes().parked());
    round.prepare(due + parked, 1, 0);
    Map<Figure, Double> alone = drain(round, due, 0);
    round.open();
    round.fill(due, due + parked, LATER);
    Map<Figure, Double> figures = drain(round, due, parked);
    figures.put(Figure.JOBS, (double) parked);
    figures.put(Figure.ALONE, due / seconds(alone));
    figures.put(Figure.RATIO, seconds(alone) / seconds(figures));
    figures.put(Figure.CPU_ALONE, alone.getOrDefault(Figure.CPU, Double.NaN));
    return Figures.of(figures);
  }

  private static double seconds(Map<Figure, Double> figures) {
    return figures.getOrDefault(Figure.SECONDS, Double.NaN);
  }

  /** The means of the times that count. */
  private static Map<Figure, Double> drain(Round round, int due, int parked) throws Exception {
    Map<Figure, Double> means = new EnumMap<>(Figure.class);
    for (int time = -WARM_UPS; time < TIMES; time++) {
      Map<Figure, Double> figures = drainOnce(round, due, parked);
      if (time >= 0) {
        figures.forEach((figure, value) -> means.merge(figure, value / TIMES, Double::sum));
      }
    }
    means.put(Figure.RATE, due / seconds(means));
    return means;
  }

  private static Map<Figure, Double> drainOnce(Round round, int due, int parked) throws Exception {
    round.open();
    Meter meter = Drain.begin(round, due);
    round.awaitSucceeded(due, Duration.ofMillis(5));
    meter.end();
    List<Integer> runs = round.runs();
    round.leave();
    round.checkRuns(due, runs);
    round.checkStored(parked);
    return meter.perJob(due);
  }
}
