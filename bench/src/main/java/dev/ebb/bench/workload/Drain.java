package dev.ebb.bench.workload;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Target;
import dev.ebb.bench.report.Figure;
import java.time.Duration;
import java.util.Map;

/** Runs no-op jobs that were stored before. */
public record Drain(String id, int nodes, int queues) implements Workload {

  @Override
  public String sentence() {
    return "No-op jobs that were stored before, %s on %s."
        .formatted(
            nodes == 1 ? "one node" : nodes + " nodes",
            queues == 1 ? "one queue" : queues + " queues");
  }

  @Override
  public String together() {
    return together(queues);
  }

  /** One node and two are compared. */
  static String together(int queues) {
    return "drain on " + queues;
  }

  @Override
  public boolean fits(Entrant entrant) {
    boolean isAsked = entrant.isPlain() || (entrant.isLabelled() && nodes == 1 && queues == 1);
    return isAsked && entrant.contender(Target.NOWHERE).spreadOver(queues);
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(round.sizes().drain());
    round.prepare(jobs, queues, 0);
    Meter meter = drain(round, jobs);
    Map<Figure, Double> figures = meter.perJob(jobs);
    figures.put(Figure.WAL_LIFE, (round.fillWal() + meter.wal()) / jobs);
    return figures;
  }

  /** Stores jobs, lets the nodes run them, and checks that each ran as often as it should. */
  public static Meter drain(Round round, int jobs) throws Exception {
    Meter meter = begin(round, jobs);
    meter.endWhenEnded(jobs);
    round.leaveAndCheck(jobs);
    return meter;
  }

  /** Stores jobs and starts the nodes; the meter runs. */
  static Meter begin(Round round, int jobs) throws Exception {
    round.fill(0, jobs, Duration.ZERO);
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    meter.begin();
    round.start();
    return meter;
  }
}
