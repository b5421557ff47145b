package dev.ebb.bench.workload;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.report.Figure;
import java.util.Map;

/** A task that systems are measured at. */
public interface Workload {
  /** Its name on the command line. */
  String id();

  /** What is done, for the report. */
  String sentence();

  /** Workloads that stand together and have the same are done back to back by each system. */
  default String together() {
    return id();
  }

  /** How many nodes work on the one database. */
  default int nodes() {
    return 1;
  }

  /** Whether the system can do it, and is to be measured at it. */
  default boolean fits(Entrant entrant) {
    return entrant.isPlain();
  }

  /** The heap of its nodes, as the JVM's option has it. */
  default String heap() {
    return "512m";
  }

  /** How much of it is done before the first round, to warm the JVM up; zero for nothing. */
  default double warmUp() {
    return 1;
  }

  /**
   * Does it once.
   *
   * @throws CheckFailed if a job ran too often or too seldom
   */
  Map<Figure, Double> run(Round round) throws Exception;
}
