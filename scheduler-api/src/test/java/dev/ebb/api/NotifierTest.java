package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.NotificationListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The notifications that the API sends after a commit. */
class NotifierTest {
  private static final String CANCEL = "a cancel";
  private static final String DRAIN = "a drain";

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @Test
  void a_write_notifies_the_workers_of_its_queue() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    try (ApiServer api = ApiServer.start(config);
        Database database = Database.open(config);
        NotificationListener _ =
            new NotificationListener(
                database, heard::add, () -> heard.add(CANCEL), () -> heard.add(DRAIN))) {
      awaitListening(api);

      String id = api.post("/v1/jobs", job("sent", ",\"delay\":\"P1D\"")).field("id");
      assertThat(next()).isEqualTo("sent");
      api.post("/v1/jobs/batch", "{\"jobs\":[" + job("many", "") + "," + job("many", "") + "]}");
      assertThat(next()).isEqualTo("many");
      api.post("/v1/jobs/" + id + "/retry");
      assertThat(next()).isEqualTo("sent");
      api.put("/v1/queues/resumed", "{\"paused\":false}");
      assertThat(next()).isEqualTo("resumed");
      api.post("/v1/queues/resumed/pause", "");
      api.post("/v1/queues/resumed/resume", "");
      assertThat(next()).isEqualTo("resumed");
      api.send(api.request("/v1/queues/resumed").DELETE());
      assertThat(next()).isEqualTo("resumed");

      claim(api);
      api.post("/v1/jobs/" + id + "/cancel");
      assertThat(next()).isEqualTo(CANCEL);
      new Nodes(database).start(new NodeFacts("n", "1", "0", List.of(), List.of("a"), 1), false);
      api.post("/v1/nodes/n/drain");
      assertThat(next()).isEqualTo(DRAIN);
      api.post("/v1/nodes/n/undrain");
      assertThat(next()).isEqualTo(DRAIN);
      assertThat(heard).isEmpty();
    }
  }

  private static void claim(ApiServer api) throws Exception {
    ClaimRequest request =
        new ClaimRequest("sent", "node", List.of("a"), 1, 1 << 20, Duration.ofSeconds(15));
    assertThat(api.queue().claim(request)).isPresent();
  }

  /** Without a listener a notification is lost: repeats it until the listener is there. */
  private void awaitListening(ApiServer api) throws InterruptedException {
    String first = null;
    for (int tries = 0; tries < 100 && first == null; tries++) {
      api.set("/v1/queues/listening", "{\"paused\":false}");
      first = heard.poll(100, TimeUnit.MILLISECONDS);
    }
    assertThat(first).isEqualTo("listening");
    while (heard.poll(300, TimeUnit.MILLISECONDS) != null) {
      // Repetitions that arrived late.
    }
  }

  private String next() throws InterruptedException {
    String next = heard.poll(10, TimeUnit.SECONDS);
    return next == null ? "nothing" : next;
  }

  private static String job(String queue, String more) {
    return "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"" + more + "}";
  }
}
