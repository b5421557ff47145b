package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Queues that are limited and have a backlog: does each keep its rate? */
record LimitedQueues(String id, int queues, int limit) implements OfEbb, WarmsUpItself {
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration STAY = Duration.ofSeconds(12);
  private static final int BACKLOG_SECONDS = 20;

  private static final String ENDED =
      """
      select count(*) from ebb.history
      """;

  /** Of the queues that ended the fewest. */
  private static final String FEWEST =
      """
      select coalesce(min(ended), 0)
      from (
        select count(*) filter (where ended_at > now() - ? * interval '1 millisecond') as ended
        from ebb.history
        group by queue
      ) each
      """;

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "No-op jobs that were stored before, one node on %,d queues that are limited to %s a second"
            + " each, for %s s.",
        queues,
        limit,
        STAY.toSeconds());
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = queues * Math.max(20, round.scaled(BACKLOG_SECONDS * limit));
    round.prepare(jobs, queues, 0);
    var _ = round.first().ask(new Request.Limit(limit));
    round.fill(0, jobs, Duration.ZERO);
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    round.start();
    Meter.pause(WARM_UP);
    double before = number(round, ENDED);
    meter.begin();
    Meter.pause(STAY);
    meter.end();
    double ended = number(round, ENDED) - before;
    double fewest = number(round, FEWEST, STAY.toMillis());
    round.leave();
    return Figures.of(
        Map.of(
            Figure.JOBS, ended,
            Figure.RATE, ended / meter.seconds(),
            Figure.SLOWEST, fewest / STAY.toSeconds(),
            Figure.CPU_POSTGRES, meter.postgresMicros() / ended,
            Figure.CPU_NODE, meter.nodeMicros() / ended,
            Figure.STATEMENTS, meter.statements() / ended));
  }

  private static double number(Round round, String sql, Object... parameters) throws SQLException {
    try (Connection eyes = round.connect()) {
      return Sql.number(eyes, sql, parameters);
    }
  }
}
