package dev.ebb.bench.workload;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.report.Figure;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs due jobs beside many that are due in ten days, and in another database the same without
 * those, by turns. Both are done several times, because so few jobs are gone in an instant.
 */
record Parked() implements Workload {
  /** Not counted: the first drains compile what the later ones run. */
  private static final int WARM_UPS = 2;

  private static final Duration LATER = Duration.ofDays(10);

  /** A fast system is through in a fifth of a second. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  @Override
  public String id() {
    return "parked";
  }

  @Override
  public String sentence() {
    return "Due jobs among many that are due in ten days, by turns with the same jobs alone in"
        + " another database: %s pairs (of the slower systems %s or %s), each first as often, and"
            .formatted(pairs(Entrant.EBB), pairs(Entrant.DB_SCHEDULER), pairs(Entrant.JOBRUNR))
        + " the ratio of their sums. Each ends when the last handler has run; what is settled after"
        + " that is not in the figures.";
  }

  @Override
  public double warmUp() {
    return 0.5;
  }

  @Override
  public Map<Figure, Double> run(Round among) throws Exception {
    int due = among.scaled(among.sizes().due());
    int parked = among.scaled(among.sizes().parked());
    try (Round alone = among.beside()) {
      alone.prepare(due, 1, 0);
      among.prepare(due + parked, 1, 0);
      among.fill(due, due + parked, LATER);
      int pairs = 2 * among.scaled(among.sizes().turns());
      Map<Figure, Double> figures = measure(among, alone, due, parked, pairs);
      for (Round round : List.of(among, alone)) {
        round.checkTables(due * (WARM_UPS + pairs));
      }
      return figures;
    }
  }

  private static int pairs(Entrant entrant) {
    return 2 * entrant.sizes().turns();
  }

  private static Map<Figure, Double> measure(
      Round among, Round alone, int due, int parked, int pairs) throws Exception {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    Map<Figure, Double> lone = new EnumMap<>(Figure.class);
    for (int pair = -WARM_UPS; pair < pairs; pair++) {
      for (Round round : pair % 2 == 0 ? List.of(alone, among) : List.of(among, alone)) {
        Map<Figure, Double> means = round == among ? figures : lone;
        Map<Figure, Double> drained = drainOnce(round, due, round == among ? parked : 0);
        if (pair >= 0) {
          drained.forEach((figure, value) -> means.merge(figure, value / pairs, Double::sum));
        }
      }
    }
    figures.put(Figure.JOBS, (double) parked);
    figures.put(Figure.DUE, (double) due);
    double seconds = of(figures, Figure.SECONDS);
    double loneSeconds = of(lone, Figure.SECONDS);
    double loneCpu = of(lone, Figure.CPU);
    figures.put(Figure.RATE, due / seconds);
    figures.put(Figure.ALONE, due / loneSeconds);
    figures.put(Figure.RATIO, loneSeconds / seconds);
    figures.put(Figure.CPU_ALONE, loneCpu);
    figures.put(Figure.RATIO_CPU, of(figures, Figure.CPU) / loneCpu);
    return Figures.of(figures);
  }

  private static double of(Map<Figure, Double> figures, Figure figure) {
    return figures.getOrDefault(figure, Double.NaN);
  }

  private static Map<Figure, Double> drainOnce(Round round, int due, int parked) throws Exception {
    round.open();
    Meter meter = Drain.begin(round, due);
    round.awaitSucceeded(due, LOOK_EVERY);
    meter.end();
    List<Integer> runs = round.runs();
    round.leave();
    round.checkRuns(due, runs);
    round.checkStored(parked);
    return meter.perJob(due);
  }
}
