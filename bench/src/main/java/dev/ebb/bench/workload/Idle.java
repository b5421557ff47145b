package dev.ebb.bench.workload;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.report.Figure;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * A node with nothing to do, and so many parked jobs spread over queues.
 *
 * <p>Transactions are known only when their sessions have ended, so a short stay is taken off a
 * long one, and with it what a start costs.
 */
record Idle(String id, int queues, int parked) implements Workload {
  private static final Duration LATER = Duration.ofDays(10);
  private static final Duration SETTLE = Duration.ofSeconds(3);
  private static final Duration SUMMING_UP = Duration.ofSeconds(45);
  private static final Duration STAY = Duration.ofSeconds(20);

  @Override
  public String sentence() {
    String what =
        parked == 0
            ? "an empty database"
            : String.format(
                Locale.ROOT, "%,d jobs in %,d queues, due in ten days,", parked, queues);
    return "A node on " + what + " for 20 s; WAL is that of its statements.";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return queues == 1 ? entrant.isPlain() : entrant == Entrant.EBB;
  }

  @Override
  public double warmUp() {
    return 0;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(parked);
    round.prepare(jobs, queues, 0);
    if (parked > 0) {
      round.fill(0, jobs, LATER);
      // What the submits counted is summed up behind them.
      var _ = stay(round, SUMMING_UP);
    }
    double startOnly = stay(round, Duration.ZERO).transactions();
    Meter meter = stay(round, STAY);
    double seconds = meter.seconds();
    return Figures.of(
        Map.of(
            Figure.IDLE_TRANSACTIONS, (meter.transactions() - startOnly) / seconds,
            Figure.IDLE_STATEMENTS, meter.statements() / seconds,
            Figure.IDLE_BLOCKS, meter.blocks() / seconds,
            Figure.IDLE_WAL, meter.walOfStatements() / seconds,
            Figure.IDLE_CPU_POSTGRES, meter.postgresMicros() / 1000 / seconds,
            Figure.IDLE_CPU_NODE, meter.nodeMicros() / 1000 / seconds));
  }

  private static Meter stay(Round round, Duration stay) throws Exception {
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    round.start();
    Meter.pause(SETTLE);
    meter.begin();
    Meter.pause(stay);
    meter.end();
    round.leave();
    return meter;
  }
}
