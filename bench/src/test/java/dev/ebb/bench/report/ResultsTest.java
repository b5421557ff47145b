package dev.ebb.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir private Path folder;

  private static Measurement measurement(String workload, String entrant, double rate) {
    return new Measurement(workload, entrant, 1, Map.of(Figure.RATE, rate), null);
  }

  @Test
  void what_is_measured_again_takes_the_place_of_what_was_and_of_its_facts() {
    Results first =
        Results.none()
            .with(
                Map.of("date", "1", "old", "o", Results.COMMAND + "idle", "i"),
                List.of(measurement("idle", "floor", 2), measurement("drain", "floor", 1)));

    Results second = first.with(Map.of("date", "2"), List.of(measurement("drain", "ebb", 3)));

    assertThat(second.facts()).isEqualTo(Map.of("date", "2", Results.COMMAND + "idle", "i"));
    assertThat(second.measurements())
        .containsExactly(measurement("idle", "floor", 2), measurement("drain", "ebb", 3));
  }

  @Test
  void the_file_gives_back_what_was_written() throws Exception {
    Path file = folder.resolve("a/results.json");
    Results results =
        Results.none()
            .with(
                Map.of("date", "1"),
                List.of(
                    measurement("drain", "ebb", 1.25),
                    new Measurement("idle", "ebb", 2, Map.of(), "it broke")));

    assertThat(Results.read(file)).isEqualTo(Results.none());
    results.write(file);

    assertThat(Results.read(file)).isEqualTo(results);
  }
}
