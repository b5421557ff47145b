package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.contender.DirectClaims;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Claims by hand while a stranger holds a snapshot, so that no row version can be cleaned away: do
 * the last claims take longer than the first?
 */
record OldSnapshot() implements Workload {
  private static final int JOBS = 80_000;
  private static final int BATCH = 100;
  private static final int COMPARED = 100;

  /** The first claims prepare statements. */
  private static final int UNCOUNTED = 20;

  @Override
  public String id() {
    return "snapshot";
  }

  @Override
  public String sentence() {
    return "Claims of 100 while another session holds an old snapshot: the mean of 100 after the"
        + " first 20, and of the last 100, full scans among them, as the jobs go through.";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return entrant.isPlain() && entrant.contender(Target.NOWHERE) instanceof DirectClaims;
  }

  @Override
  public double warmUp() {
    return 0.2;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(JOBS);
    round.prepare(jobs, 1, 0);
    round.fill(0, jobs, Duration.ZERO);
    round.rest();
    round.open();
    List<Integer> micros;
    try (Connection stranger = round.connect()) {
      Sql.holdSnapshot(stranger);
      micros = round.first().ask(new Request.Claims(0, jobs / BATCH, BATCH, true)).samples();
    }
    round.leave();
    round.checkStored(0);
    round.checkTables(jobs);
    int compared = Math.min(COMPARED, micros.size() / 4);
    double first = Stats.mean(micros.subList(UNCOUNTED, UNCOUNTED + compared));
    double last = Stats.mean(micros.subList(micros.size() - compared, micros.size()));
    return Figures.growth(first, last);
  }
}
