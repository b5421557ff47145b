package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import java.time.Duration;
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

  private record Sums(double seconds, double micros, double wal, double statements) {
    static final Sums NONE = new Sums(0, 0, 0, 0);

    Sums plus(Meter meter) {
      return new Sums(
          seconds + meter.seconds(),
          micros + meter.postgresMicros() + meter.nodeMicros(),
          wal + meter.wal(),
          statements + meter.statements());
    }
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int due = round.scaled(round.sizes().due());
    int parked = round.scaled(round.sizes().parked());
    round.prepare(due + parked, 1, 0);
    Sums alone = drain(round, due, 0);
    round.open();
    round.fill(due, due + parked, LATER);
    Sums among = drain(round, due, parked);
    double jobs = TIMES * (double) due;
    return Figures.of(
        Map.of(
            Figure.JOBS, (double) parked,
            Figure.RATE, jobs / among.seconds,
            Figure.ALONE, jobs / alone.seconds,
            Figure.RATIO, alone.seconds / among.seconds,
            Figure.CPU, among.micros / jobs,
            Figure.CPU_ALONE, alone.micros / jobs,
            Figure.WAL, among.wal / jobs,
            Figure.STATEMENTS, among.statements / jobs));
  }

  private static Sums drain(Round round, int due, int parked) throws Exception {
    Sums sums = Sums.NONE;
    for (int time = -WARM_UPS; time < TIMES; time++) {
      round.open();
      round.fill(0, due, Duration.ZERO);
      round.rest();
      Meter meter = new Meter(round);
      round.open();
      meter.begin();
      round.start();
      round.awaitSucceeded(due, Duration.ofMillis(5));
      meter.end();
      List<Integer> runs = round.runs();
      round.leave();
      round.checkRuns(due, runs);
      round.checkStored(parked);
      sums = time >= 0 ? sums.plus(meter) : sums;
    }
    return sums;
  }
}
