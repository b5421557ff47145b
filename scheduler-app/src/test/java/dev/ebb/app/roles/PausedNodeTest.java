package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.doctor.Doctor;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that are started with EBB_START=paused. */
class PausedNodeTest {
  private static final Map<String, String> PAUSED = Map.of("EBB_START", "paused");

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();
  private final Settings settings = Settings.read(Map.of()).withDatabase(database, false);

  private StartingNode node() {
    return new StartingNode(Node::startServer, database, PAUSED);
  }

  /** The job's first attempt fails at once: its address is refused. */
  private static boolean hasRun(StartingNode node) throws Exception {
    return !node.get("/v1/jobs?state=dead_letter").contains("\"items\":[]");
  }

  private String doctor() {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    Doctor.examine(settings, new PrintStream(told, true, StandardCharsets.UTF_8));
    return told.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_node_that_starts_paused_is_ready_and_runs_nothing_until_the_command_and_stays_resumed()
      throws Exception {
    try (StartingNode node = node()) {
      node.awaitStarted();
      node.awaitStatus("/readyz", 200);
      node.post(
          "/v1/jobs",
          "{\"kind\":\"http\",\"payload\":{\"url\":\"http://127.0.0.1:1/\"},"
              + "\"maxAttempts\":1}");
      assertThat(node.get("/v1/start")).contains("\"paused\":true", "EBB_START=paused on ");
      assertThat(doctor()).contains("warn  The start has been paused since ", "./ebb resume");
      assertThat(hasRun(node)).isFalse();

      assertThat(Restoring.resume(settings)).startsWith("Resumed");
      Await.until("the job runs", () -> hasRun(node));
      assertThat(Restoring.resume(settings)).contains("nothing to resume");
    }

    try (StartingNode again = node()) {
      again.awaitStarted();
      assertThat(again.get("/v1/start")).contains("\"paused\":false");
    }
  }
}
