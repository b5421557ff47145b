package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Polls that do not wait, and those that nobody waits for any more. */
class PollsTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static ApiServer api;
  private String queue = "";

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void newName() {
    queue = "queue-" + NUMBER.incrementAndGet();
  }

  private String submit() {
    Reply stored =
        api.post("/v1/jobs", "{\"kind\":\"paid\",\"queue\":\"" + queue + "\",\"payload\":{}}");
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    return stored.field("id");
  }

  private String poll(String worker, String wait) {
    return LeasesTest.poll(worker, queue, 1, wait, "");
  }

  private Reply polled() {
    return api.post("/v1/leases", poll("worker", "PT0S"));
  }

  private CompletableFuture<Reply> waiting() {
    return CompletableFuture.supplyAsync(this::polled);
  }

  @Test
  void a_poll_that_does_not_wait_gets_what_is_due() {
    String id = submit();

    Reply reply = polled();

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("jobs").path(0).path("id").asString()).isEqualTo(id);
    assertThat(polled().status()).isEqualTo(204);
  }

  @Test
  void a_poll_that_does_not_wait_gets_what_no_notification_told_of() throws Exception {
    assertThat(polled().status()).isEqualTo(204);
    try (Connection connection = api.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("select ebb.submit('paid', '{}', '" + queue + "')");
    }

    assertThat(polled().status()).isEqualTo(200);
  }

  @Test
  void polls_of_one_worker_that_come_together_are_all_answered() throws Exception {
    List<CompletableFuture<Reply>> together =
        IntStream.range(0, 20).mapToObj(_ -> waiting()).toList();

    for (CompletableFuture<Reply> poll : together) {
      assertThat(poll.get(1, TimeUnit.MINUTES).status()).isEqualTo(204);
    }
  }

  private Socket hanging(String worker) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    String body = poll(worker, "PT30S");
    String head =
        "POST /v1/leases HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
    Await.until(worker + " is known", () -> api.get("/v1/nodes").body().contains(worker));
    return socket;
  }

  @Test
  void no_job_is_leased_to_a_worker_that_has_hung_up() throws Exception {
    hanging("killed").close();

    String id = submit();
    Reply reply = api.post("/v1/leases", poll("alive", "PT10S"));

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("jobs").path(0).path("id").asString()).isEqualTo(id);
    assertThat(reply.json().path("jobs").path(0).path("attempt").asInt()).isOne();
  }

  @Test
  void one_that_sends_its_next_request_early_has_not_hung_up() throws Exception {
    try (Socket socket = hanging("hasty")) {
      String next = "GET /v1/start HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(next.getBytes(StandardCharsets.UTF_8));

      String id = submit();
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answers).startsWith("HTTP/1.1 200").contains("\"id\":\"" + id + "\"");
      assertThat(answers.split("HTTP/1.1 200")).as("both are answered").hasSize(3);
    }
  }
}
