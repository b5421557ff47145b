package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Does the workloads in rounds, in which the systems take turns: what is compared is measured
 * within minutes, because the machine may be another an hour later.
 */
final class Harness implements AutoCloseable {
  private final Server server;
  private final double scale;
  private final boolean profile;
  private final Consumer<Measurement> progress;
  private final Nodes nodes = new Nodes();

  /**
   * Measures on a server that stays the caller's.
   *
   * @param scale what the workloads' sizes are multiplied with
   * @param profile whether to tell which statements took most of the server's time
   * @param progress hears of every measurement when it is done
   */
  Harness(Server server, double scale, boolean profile, Consumer<Measurement> progress) {
    this.server = server;
    this.scale = scale;
    this.profile = profile;
    this.progress = progress;
  }

  /** Does all workloads with all systems that can do them, so many times. */
  void measure(List<Workload> workloads, List<Entrant> entrants, int rounds) {
    for (int round = 1; round <= rounds; round++) {
      for (Workload workload : workloads) {
        measure(workload, entrants.stream().filter(workload::fits).toList(), round);
      }
    }
  }

  private void measure(Workload workload, List<Entrant> entrants, int round) {
    if (round == 1 && workload.warmUp() > 0) {
      entrants.forEach(entrant -> warmUp(workload, entrant));
    }
    List<Entrant> inTurn = new ArrayList<>(entrants);
    // Nobody is always the first.
    Collections.rotate(inTurn, 1 - round);
    inTurn.forEach(entrant -> progress.accept(run(workload, entrant, round, scale)));
  }

  private void warmUp(Workload workload, Entrant entrant) {
    Measurement warmUp = run(workload, entrant, 0, scale * workload.warmUp());
    if (warmUp.failure() != null) {
      System.err.printf("%s %s did not warm up: %s%n", workload.id(), entrant, warmUp.failure());
    }
  }

  private Measurement run(Workload workload, Entrant entrant, int number, double scale) {
    Map<Figure, Double> figures = Map.of();
    String failure = null;
    try (Round round =
        new Round(server, entrant, nodes.of(entrant, workload.heap(), workload.nodes()), scale)) {
      figures = workload.run(round);
      if (profile && number > 0) {
        System.out.print(Profile.of(round));
      }
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
