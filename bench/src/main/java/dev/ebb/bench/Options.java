package dev.ebb.bench;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the command line asks for.
 *
 * @param only the workloads
 * @param systems the systems
 * @param quick a tenth of the jobs, one round
 * @param profile whether to tell which statements took most of the server's time
 * @param reportOnly whether to make the report from what was measured before
 * @param out the folder of the report; a quick one does not replace that of a whole run
 * @param command the line that was typed
 */
record Options(
    List<String> only,
    List<Entrant> systems,
    int rounds,
    boolean quick,
    boolean profile,
    boolean reportOnly,
    Path out,
    String command) {
  static final String USAGE =
      """
      usage: ./ebb bench [--only WORKLOAD,...] [--systems SYSTEM,...] [--rounds N] [--quick]
                         [--out FOLDER] [--profile] [--report]
             ./ebb bench ramp    draws docs/ramp.svg: the limiter's ramp at a merchant
        --only      only these workloads; their figures replace that part of the page
        --systems   only these systems; the others have no rows, so it writes to bench/target/bench
        --rounds    1 to 99, 3 by default
        --quick     a tenth of each workload, once, to bench/target/bench
        --out       where the page, its plot and benchmarks.json go; docs by default
        --profile   prints the statements that took longest
        --report    makes the page again from benchmarks.json
      workloads: %s
      systems: %s
      """
          .formatted(String.join(", ", Workloads.ids()), String.join(", ", Entrant.ids()));

  /** Reads the arguments; throws IllegalArgumentException with a sentence for people. */
  static Options parse(List<String> arguments, Path home) {
    List<String> only = Workloads.ids();
    List<Entrant> systems = List.of(Entrant.values());
    int rounds = 0;
    boolean quick = false;
    boolean profile = false;
    boolean reportOnly = false;
    Path out = null;
    String command =
        String.join(" ", Stream.concat(Stream.of("./ebb bench"), arguments.stream()).toList());
    List<String> rest = new ArrayList<>(arguments);
    while (!rest.isEmpty()) {
      String option = rest.removeFirst();
      switch (option) {
        case "--only" -> only = workloads(value(option, rest));
        case "--systems" ->
            systems = value(option, rest).stream().distinct().map(Entrant::of).toList();
        case "--rounds" -> rounds = rounds(value(option, rest).getFirst());
        case "--quick" -> quick = true;
        case "--profile" -> profile = true;
        case "--report" -> reportOnly = true;
        case "--out" -> out = Path.of(value(option, rest).getFirst());
        default -> throw new IllegalArgumentException(option + " is not an option\n" + USAGE);
      }
    }
    if (out == null) {
      boolean isWhole = !quick && systems.size() == Entrant.values().length;
      out = home.resolve(isWhole ? "docs" : "bench/target/bench");
    }
    return new Options(
        only,
        systems,
        rounds > 0 ? rounds : quick ? 1 : 3,
        quick,
        profile,
        reportOnly,
        out,
        command);
  }

  private static List<String> value(String option, List<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
    }
    return List.of(rest.removeFirst().split(","));
  }

  private static int rounds(String given) {
    if (!given.matches("[1-9][0-9]?")) {
      throw new IllegalArgumentException("--rounds must be a whole number from 1 to 99");
    }
    return Integer.parseInt(given);
  }

  private static List<String> workloads(List<String> given) {
    for (String id : given) {
      if (!Workloads.ids().contains(id)) {
        throw new IllegalArgumentException(
            id + " is none of the workloads " + String.join(", ", Workloads.ids()));
      }
    }
    return given;
  }

  double scale() {
    return quick ? 0.1 : 1;
  }
}
