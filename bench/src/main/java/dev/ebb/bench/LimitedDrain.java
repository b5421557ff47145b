package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import dev.ebb.core.NewJob;
import dev.ebb.core.RateLimit;
import dev.ebb.db.Database;
import dev.ebb.db.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** A drain of a queue with a limit that never binds: what the limiter itself costs. */
record LimitedDrain() implements Workload {
  private static final RateLimit FAR_AWAY = RateLimit.of(RateLimit.MAX_RATE, Duration.ZERO, 1);

  @Override
  public String id() {
    return "drain-limited";
  }

  @Override
  public String sentence() {
    return "No-op jobs that were stored before, one node on one queue with a rateLimit of"
        + " %,.0f permits/s, which is never reached.".formatted(FAR_AWAY.permitsPerSecond());
  }

  @Override
  public String together() {
    return Drain.together(1);
  }

  @Override
  public boolean fits(Entrant entrant) {
    return entrant == Entrant.EBB;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(round.sizes().drain());
    round.prepare(jobs, 1, 0);
    limit(round);
    Map<Figure, Double> figures = Drain.drain(round, jobs).perJob(jobs);
    try (Connection eyes = round.connect()) {
      if (Sql.number(eyes, "select count(*) from ebb.limiter") != 1) {
        throw new CheckFailed("the limit was not in force");
      }
    }
    return figures;
  }

  private static void limit(Round round) throws SQLException {
    try (Database database = Database.open(EbbContender.config(round.target()))) {
      new Queues(database)
          .put(NewJob.DEFAULT_QUEUE, new Queues.Settings(false, null, FAR_AWAY, null), false);
    }
  }
}
