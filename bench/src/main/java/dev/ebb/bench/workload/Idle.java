package dev.ebb.bench.workload;

import dev.ebb.bench.report.Figure;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A node with nothing to do. Transactions are known only when their sessions have ended, so a short
 * stay is taken off a long one, and with it what a start costs.
 */
record Idle() implements Workload {
  private static final Duration SETTLE = Duration.ofSeconds(3);
  private static final Duration STAY = Duration.ofSeconds(20);

  @Override
  public String id() {
    return "idle";
  }

  @Override
  public String sentence() {
    return "A node on an empty database for 20 s; WAL is that of its statements.";
  }

  @Override
  public double warmUp() {
    return 0;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    round.prepare(1, 1, 0);
    double startOnly = stay(round, Duration.ZERO).transactions();
    Meter meter = stay(round, STAY);
    double seconds = meter.seconds();
    return Figures.of(
        Map.of(
            Figure.IDLE_TRANSACTIONS, (meter.transactions() - startOnly) / seconds,
            Figure.IDLE_STATEMENTS, meter.statements() / seconds,
            Figure.IDLE_WAL, meter.walOfStatements() / seconds,
            Figure.IDLE_CPU_POSTGRES, meter.postgresMicros() / 1000 / seconds,
            Figure.IDLE_CPU_NODE, meter.nodeMicros() / 1000 / seconds));
  }

  private static Meter stay(Round round, Duration stay) throws Exception {
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    round.start();
    pause(SETTLE);
    meter.begin();
    pause(stay);
    meter.end();
    round.leave();
    return meter;
  }

  private static void pause(Duration pause) {
    long end = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
