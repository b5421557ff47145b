package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers that die while their poll waits. */
class HungUpPollTest {
  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private static String poll(String worker, String wait) {
    return LeasesTest.poll(worker, "payments", 1, wait, "");
  }

  private Socket waiting(String worker) throws Exception {
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

  private String submit() {
    Reply stored =
        api.post("/v1/jobs", "{\"kind\":\"paid\",\"queue\":\"payments\",\"payload\":{}}");
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    return stored.field("id");
  }

  @Test
  void no_job_is_leased_to_a_worker_that_has_hung_up() throws Exception {
    waiting("killed").close();

    String id = submit();
    Reply reply = api.post("/v1/leases", poll("alive", "PT10S"));

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("jobs").path(0).path("id").asString()).isEqualTo(id);
    assertThat(reply.json().path("jobs").path(0).path("attempt").asInt()).isOne();
  }

  @Test
  void one_that_sends_its_next_request_early_has_not_hung_up() throws Exception {
    try (Socket socket = waiting("hasty")) {
      String next = "GET /v1/start HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(next.getBytes(StandardCharsets.UTF_8));

      String id = submit();
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answers).startsWith("HTTP/1.1 200").contains("\"id\":\"" + id + "\"");
      assertThat(answers.split("HTTP/1.1 200")).as("both are answered").hasSize(3);
    }
  }
}
