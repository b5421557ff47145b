package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.FullDisk;
import dev.ebb.db.Vital;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads and empty commits go on while no table can grow: a node that reads is not ready for it. */
@Vital
class FullDiskTest {
  private static final String WHY = "the server's disk is full (53100)";
  private static final String STORING = "\"code\":\"storing\",\"theme\":\"work\",\"verdict\":\"";

  private final Random random = new Random(7);
  private FullDisk disk;
  private StartingNode node;

  @BeforeEach
  void start() throws Exception {
    disk = FullDisk.start();
    node = new StartingNode(Node::startApi, disk.config(), Map.of());
    node.awaitStarted();
    node.awaitStatus("/readyz", 200);
  }

  @AfterEach
  void stop() {
    node.close();
    disk.close();
  }

  /** A job that takes some room, however it is compressed. */
  private HttpResponse<String> submit() throws Exception {
    StringBuilder text = new StringBuilder();
    random.ints(2_000, 'a', 'z').forEach(text::appendCodePoint);
    return node.answer("/v1/jobs", "{\"kind\":\"a\",\"payload\":\"" + text + "\"}");
  }

  private void awaitFinding(String verdict) throws Exception {
    Await.until(
        "the finding is " + verdict, () -> node.get("/v1/database").contains(STORING + verdict));
  }

  @Test
  void an_api_on_a_full_disk_refuses_jobs_and_is_not_ready_and_says_why_until_there_is_room()
      throws Exception {
    assertThat(submit().statusCode()).isEqualTo(201);
    assertThat(node.get("/v1/database")).contains(STORING + "ok");

    disk.fill();
    Await.until("a job finds no room", () -> submit().statusCode() != 201);

    HttpResponse<String> refused = submit();
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(refused.body()).contains("database_unavailable", "\"retryable\":true", WHY);
    assertThat(node.status("/readyz")).isEqualTo(503);
    assertThat(node.get("/readyz")).contains(WHY);
    assertThat(node.status("/v1/jobs")).as("it reads all along").isEqualTo(200);
    awaitFinding("bad");
    assertThat(node.get("/v1/database")).contains(WHY, "Make room on the server's disk");
    assertThat(node.get("/metrics")).contains("ebb_database_refusing 1.0");

    disk.makeRoom();

    assertThat(submit().statusCode()).isEqualTo(201);
    assertThat(node.status("/readyz")).isEqualTo(200);
    awaitFinding("ok");
    assertThat(node.get("/metrics")).contains("ebb_database_refusing 0.0");
  }

  @Test
  void a_node_that_is_sent_no_job_is_ready_again_by_itself() throws Exception {
    disk.fill();
    Await.until("a job finds no room", () -> submit().statusCode() != 201);
    assertThat(node.status("/readyz")).isEqualTo(503);

    disk.makeRoom();

    node.awaitStatus("/readyz", 200);
  }
}
