package dev.ebb.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** In a JVM of its own each time: a log is configured once. */
class LoggingTest {
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void each_event_is_a_json_object_in_a_line_with_its_stack_trace() throws Exception {
    List<JsonNode> events = lines("ecs", "debug").stream().map(JSON::readTree).toList();

    assertThat(events)
        .extracting(event -> event.path("log.level").asString())
        .containsExactly("DEBUG", "INFO", "WARN", "ERROR", "ERROR");
    assertThat(events)
        .allSatisfy(event -> {
          assertThat(event.path("@timestamp").asString()).matches("20[0-9-]{8}T[0-9:.]+Z");
          assertThat(event.path("service.name").asString()).isEqualTo("ebb");
          assertThat(event.path("service.version").asString()).isEqualTo("unbuilt");
        });
    assertThat(events.getFirst().path("message").asString()).isEqualTo("debug " + LogLines.SAID);
    assertThat(events.get(3).path("error.message").asString()).isEqualTo(LogLines.SAID);
    assertThat(events.get(3).path("error.stack_trace").asString())
        .contains(
            "java.lang.IllegalStateException: " + LogLines.SAID,
            "\tat dev.ebb.app.LogLines.main(",
            "Caused by: java.lang.IllegalArgumentException: cause");
    assertThat(events.getLast().path("message").asString()).isEqualTo("severe");
  }

  @ParameterizedTest
  @CsvSource({"error,2", "warn,3", "INFO,4", "debug,5"})
  void what_is_below_the_level_is_not_logged(String level, int events) throws Exception {
    assertThat(lines("ecs", level)).hasSize(events);
    assertThat(lines("text", level))
        .filteredOn(line -> line.matches("20[0-9-]{8}T[0-9:.]+Z (DEBUG|INFO |WARN |ERROR) .*"))
        .hasSize(events);
  }

  private static List<String> lines(String... arguments) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-cp",
                System.getProperty("java.class.path"),
                LogLines.class.getName(),
                arguments[0],
                arguments[1])
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return text.lines().toList();
  }
}
