package dev.ebb.bench;

import dev.ebb.bench.child.Nodes;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Server;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Measurement;
import dev.ebb.bench.workload.Profile;
import dev.ebb.bench.workload.Round;
import dev.ebb.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Does the workloads in rounds, in which the systems take turns: what is compared is measured
 * within minutes, because the machine may be another an hour later, and in all its rounds before
 * anything else runs, because a JVM compiles anew what other work has taught it otherwise.
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

  /** Does all workloads with all systems that can do them, the given number of times. */
  void measure(List<Workload> workloads, List<Entrant> entrants, int rounds) {
    for (List<Workload> together : together(workloads)) {
      forEach(together, entrants, this::warmUp);
      for (int round = 1; round <= rounds; round++) {
        measureTogether(together, entrants, round);
      }
    }
  }

  private static List<List<Workload>> together(List<Workload> workloads) {
    List<List<Workload>> groups = new ArrayList<>();
    for (Workload workload : workloads) {
      if (groups.isEmpty() || !groups.getLast().getFirst().together().equals(workload.together())) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(workload);
    }
    return groups;
  }

  private void measureTogether(List<Workload> workloads, List<Entrant> entrants, int round) {
    // Every other round goes the other way, so that neighbours stay neighbours.
    boolean isOdd = round % 2 == 1;
    forEach(
        isOdd ? workloads : workloads.reversed(),
        isOdd ? entrants : entrants.reversed(),
        (workload, entrant) -> progress.accept(run(workload, entrant, round, scale)));
  }

  private static void forEach(
      List<Workload> workloads, List<Entrant> entrants, BiConsumer<Workload, Entrant> action) {
    for (Entrant entrant : entrants) {
      workloads.stream()
          .filter(workload -> workload.fits(entrant))
          .forEach(workload -> action.accept(workload, entrant));
    }
  }

  private void warmUp(Workload workload, Entrant entrant) {
    if (workload.warmUp() == 0) {
      return;
    }
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
