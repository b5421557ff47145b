package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Does the workloads, in rounds in which the systems take turns. */
final class Harness implements AutoCloseable {
  private final Server server;
  private final double scale;
  private final Consumer<Measurement> progress;
  private final Nodes nodes = new Nodes();

  /**
   * Measures on a server that stays the caller's.
   *
   * @param scale what the workloads' sizes are multiplied with
   * @param progress hears of every measurement when it is done
   */
  Harness(Server server, double scale, Consumer<Measurement> progress) {
    this.server = server;
    this.scale = scale;
    this.progress = progress;
  }

  /** Does a workload, and answers every round of every system that can do it. */
  List<Measurement> measure(Workload workload, List<Entrant> entrants, int rounds) {
    List<Entrant> able = entrants.stream().filter(workload::fits).toList();
    if (workload.warmUp() > 0) {
      able.forEach(entrant -> run(workload, entrant, 0, scale * workload.warmUp()));
    }
    List<Measurement> measured = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (Entrant entrant : able) {
        Measurement measurement = run(workload, entrant, round, scale);
        progress.accept(measurement);
        measured.add(measurement);
      }
    }
    return measured;
  }

  private Measurement run(Workload workload, Entrant entrant, int number, double scale) {
    Map<Figure, Double> figures = Map.of();
    String failure = null;
    try (Round round =
        new Round(server, entrant, nodes.of(entrant, workload.heap(), workload.nodes()), scale)) {
      figures = workload.run(round);
    } catch (Exception failed) {
      failure = failed.toString();
    }
    return new Measurement(workload.id(), entrant.id(), number, figures, failure);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    nodes.close();
  }
}
