package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node is ready when it can store, not when it can read. */
class ReadyToStoreTest {
  private static TestPostgres postgres;

  @BeforeAll
  static void startServer() {
    postgres = TestPostgres.start();
  }

  @AfterAll
  static void stopServer() {
    postgres.close();
  }

  private static void setStandby(String name) {
    postgres.execute("alter system set synchronous_standby_names = " + name);
    postgres.execute("select pg_reload_conf()");
  }

  @Test
  void an_api_whose_commits_wait_for_a_standby_that_is_away_is_not_ready_and_says_why()
      throws Exception {
    try (StartingNode node = new StartingNode(Node::startApi, postgres.newDatabase(), Map.of())) {
      node.awaitStarted();
      node.awaitStatus("/readyz", 200);

      setStandby("'nobody'");
      try {
        node.awaitStatus("/readyz", 503);
        // The control: it can read all along, and that does not make it ready.
        assertThat(node.status("/v1/jobs")).isEqualTo(200);
        assertThat(node.get("/readyz"))
            .containsAnyOf("a commit has waited for over two seconds", "the reporter fails: ");
      } finally {
        setStandby("''");
      }

      node.awaitStatus("/readyz", 200);
    }
  }
}
