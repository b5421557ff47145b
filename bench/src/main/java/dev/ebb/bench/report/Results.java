package dev.ebb.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was measured, over separate runs.
 *
 * @param facts about the machine and the versions, of the last run
 */
public record Results(Map<String, String> facts, List<Measurement> measurements) {
  /** Begins the name of a fact about one workload, which stays as long as its figures. */
  public static final String COMMAND = "command of ";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  public static Results none() {
    return new Results(Map.of(), List.of());
  }

  /** Of the file, or none where there is no file. */
  public static Results read(Path file) throws IOException {
    return Files.exists(file)
        ? JSON.readValue(Files.readString(file), Results.class)
        : Results.none();
  }

  public void write(Path file) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this));
  }

  /** With the new ones in the place of all old ones of the same workloads. */
  public Results with(Map<String, String> newFacts, List<Measurement> fresh) {
    List<Measurement> all = new ArrayList<>(measurements);
    all.removeIf(old ->
        fresh.stream().anyMatch(measurement -> measurement.workload().equals(old.workload())));
    all.addAll(fresh);
    Map<String, String> merged = new TreeMap<>(newFacts);
    facts.forEach((name, fact) -> {
      if (name.startsWith(COMMAND)) {
        merged.putIfAbsent(name, fact);
      }
    });
    return new Results(merged, all);
  }
}
