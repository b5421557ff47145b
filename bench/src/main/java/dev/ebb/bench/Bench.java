package dev.ebb.bench;

import dev.ebb.bench.contender.EbbContender;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Server;
import dev.ebb.bench.ramp.Ramp;
import dev.ebb.bench.ramp.RampPlot;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Measurement;
import dev.ebb.bench.report.Report;
import dev.ebb.bench.report.Results;
import dev.ebb.bench.workload.Workload;
import dev.ebb.bench.workload.Workloads;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command {@code ./ebb bench}. */
final class Bench {
  /** They would make a line of the terminal too long. */
  private static final Set<Figure> UNTOLD = Set.of(Figure.JOBS, Figure.P95);

  private final Path home;
  private final Path results;
  private final Options options;

  private Bench(Path home, Options options) {
    this.home = home;
    this.results =
        options.quick()
            ? home.resolve("bench/target/bench/results-quick.json")
            : options.out().resolve("benchmarks.json");
    this.options = options;
  }

  /** Measures what the arguments ask for; see {@link Options#USAGE}. */
  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(System.getProperty("ebb.home", ".")).toAbsolutePath().normalize();
    if (List.of(arguments).contains("--help")) {
      System.out.print(Options.USAGE);
      return;
    }
    if (List.of(arguments).equals(List.of("ramp"))) {
      drawRamp(home.resolve("docs/ramp.svg"));
      System.exit(0);
    }
    try {
      Options options = Options.parse(List.of(arguments), home);
      new Bench(home, options).run();
    } catch (IllegalArgumentException wrong) {
      System.err.println("ebb bench: " + wrong.getMessage());
      System.exit(2);
    }
    System.exit(0);
  }

  private static void drawRamp(Path file) throws Exception {
    try (Server server = Server.start()) {
      DatabaseConfig config = EbbContender.config(server.admin("postgres"));
      Files.writeString(file, RampPlot.of(Ramp.measure(config)));
      System.out.println(file);
    }
  }

  private void run() throws Exception {
    if (!options.reportOnly()) {
      measure();
    }
    Results all = Results.read(results);
    Path page = options.out().resolve("benchmarks.md");
    Files.createDirectories(options.out());
    Files.writeString(page, Report.markdown(all, titles()));
    Files.writeString(options.out().resolve("benchmarks.svg"), Report.svg(all, titles()));
    System.out.println(page);
  }

  private static Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    for (Workload workload : Workloads.ALL) {
      titles.put(workload.id(), workload.sentence());
    }
    for (Entrant entrant : Entrant.values()) {
      titles.put(entrant.id(), entrant.title());
    }
    return titles;
  }

  private void measure() throws Exception {
    try (Server server = Server.start()) {
      Map<String, String> facts = Facts.of(server);
      facts.forEach((name, fact) -> System.out.println(name + ": " + fact));
      Results before = Results.read(results);
      String how =
          "`%s`, %s, %s, %s"
              .formatted(
                  options.command(), facts.get("date"), Facts.commit(home), facts.get("machine"));
      List<Measurement> measured = new ArrayList<>();
      Consumer<Measurement> progress =
          measurement -> {
            tell(measurement);
            facts.put(Results.COMMAND + measurement.workload(), how);
            measured.add(measurement);
            write(before.with(facts, measured));
          };
      try (Harness harness = new Harness(server, options.scale(), options.profile(), progress)) {
        List<Workload> workloads = options.only().stream().map(Workloads::of).toList();
        harness.measure(workloads, options.systems(), options.rounds());
      }
    }
  }

  private void write(Results all) {
    try {
      all.write(results);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void tell(Measurement measurement) {
    String figures =
        measurement.failure() != null
            ? "FAILED: " + measurement.failure()
            : Stream.of(Figure.values())
                .filter(measurement.figures()::containsKey)
                .filter(figure -> !UNTOLD.contains(figure))
                .map(figure ->
                    String.format(
                        Locale.ROOT,
                        "%s %,." + figure.decimals() + "f",
                        figure.title(),
                        measurement.figures().get(figure)))
                .collect(Collectors.joining(", "));
    System.out.printf(
        "%-13s %-6s %s  %s%n",
        measurement.workload(), measurement.entrant(), measurement.round(), figures);
  }
}
