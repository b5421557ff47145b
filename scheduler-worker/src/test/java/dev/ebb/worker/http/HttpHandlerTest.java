package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.job.Outcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpHandlerTest {
  private final Deliveries deliveries = new Deliveries();

  @AfterEach
  void close() {
    deliveries.close();
  }

  @Test
  void a_request_is_just_what_was_asked_for_and_the_deliverys_own_headers() throws Exception {
    String body = "{ \"amount\": 10.00, \"name\":\"é\\u00e9\" }";
    try (Wire wire = Wire.answering(answer(200, ""))) {
      String url = "http://127.0.0.1:" + wire.port() + "/a%2Fb/../c;p=1?x=%20&y";
      Outcome outcome =
          deliveries.run(
              """
              {"url":"%s","method":"PUT","headers":{"X-Shop":"seven up"},"body":%s}
              """
                  .formatted(url, body),
              LONG);

      assertThat(outcome).isEqualTo(Outcome.completed());
      String sent = wire.requests.getFirst();
      assertThat(sent).startsWith("PUT /a%2Fb/../c;p=1?x=%20&y HTTP/1.1\r\n").endsWith(body);
      assertThat(sent.substring(0, sent.indexOf("\r\n\r\n")).lines().skip(1))
          .map(line -> line.toLowerCase(Locale.ROOT))
          .containsExactlyInAnyOrder(
              "host: 127.0.0.1:" + wire.port(),
              "content-type: application/json",
              "content-length: " + body.getBytes(StandardCharsets.UTF_8).length,
              "x-shop: seven up",
              "webhook-id: " + FakeContext.ID,
              "webhook-timestamp: " + Deliveries.NOW.getEpochSecond(),
              "ebb-job: " + FakeContext.ID,
              "ebb-attempt: 3",
              "user-agent: ebb/dev",
              "connection: keep-alive");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE"})
  void every_method_works_without_a_body(String method) throws Exception {
    try (Wire wire = Wire.answering(answer(204, ""))) {
      assertThat(
              deliveries.run(
                  "{\"url\":\"%s\",\"method\":\"%s\"}".formatted(wire.url(), method), LONG))
          .isEqualTo(Outcome.completed());
      assertThat(wire.requests.getFirst())
          .startsWith(method + " /notify HTTP/1.1\r\n")
          .doesNotContainIgnoringCase("content-type");
    }
  }

  @Test
  void the_senders_content_type_and_user_agent_take_the_place_of_the_defaults() throws Exception {
    try (Wire wire = Wire.answering(answer(200, ""))) {
      deliveries.run(
          """
          {"url":"%s","headers":{"content-TYPE":"text/plain","User-Agent":"Shop"},"body":"ü"}
          """
              .formatted(wire.url()),
          LONG);

      assertThat(wire.requests.getFirst())
          .contains("content-TYPE: text/plain\r\n", "User-Agent: Shop\r\n")
          .doesNotContain("application/json", "Ebb/")
          .endsWith("\r\n\r\nü");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "[]",
        "{\"url\":\"http://2130706433/\"}",
        "{\"url\":\"http://m.example\",\"headers\":{\"webhook-id\":\"forged\"}}"
      })
  void an_unreadable_payload_is_fatal(String payload) {
    Outcome outcome = deliveries.run(payload, LONG);

    assertThat(outcome).isInstanceOf(Outcome.Fatal.class);
    assertThat(reason(outcome)).isEqualTo("unreadable_payload");
    assertThat(Deliveries.failure(outcome).message()).startsWith("payload");
  }

  @Test
  void cookies_are_not_kept() throws Exception {
    try (Wire wire = Wire.answering(answer(200, "set-cookie: a=b; path=/\r\n"))) {
      deliveries.deliver(wire.url());
      deliveries.deliver(wire.url());

      assertThat(wire.requests).hasSize(2);
      assertThat(wire.requests.getLast()).doesNotContainIgnoringCase("cookie");
    }
  }

  @Test
  void a_challenge_is_not_answered() throws Exception {
    try (Wire wire = Wire.answering(answer(401, "www-authenticate: Basic realm=\"x\"\r\n"))) {
      assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("http_401");
      assertThat(wire.requests).hasSize(1);
    }
  }

  @Test
  void a_connection_is_used_again_once_its_answer_was_read() throws Exception {
    try (Wire wire =
        Wire.answering(
            answer(200, "").replace("content-length: 0\r\n\r\n", "content-length: 3\r\n\r\nabc"))) {
      for (int i = 0; i < 5; i++) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      }

      assertThat(wire.requests).hasSize(5);
      assertThat(wire.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_connection_that_the_server_closed_meanwhile_costs_no_attempt() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(socket, answer(200, ""));
          socket.close();
          closed.countDown();
        })) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
    }
  }

  @Test
  void a_large_answer_is_read_to_64_kib_and_its_connection_closed() throws Exception {
    AtomicReference<Exception> end = new AtomicReference<>();
    CountDownLatch ended = new CountDownLatch(1);
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(socket, "HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
          try {
            while (true) {
              Wire.send(socket, "a".repeat(8192));
            }
          } catch (Exception e) {
            end.set(e);
            ended.countDown();
          }
        })) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(ended.await(30, TimeUnit.SECONDS)).as("the client hung up").isTrue();
      var response = deliveries.record().path("response");
      assertThat(response.path("bodyBytes").intValue()).isEqualTo(64 * 1024 + 1);
      assertThat(response.path("bodyCut").booleanValue()).isTrue();
      assertThat(response.path("body").stringValue()).hasSize(4096);
    }
  }

  @Test
  void an_answer_of_just_64_kib_keeps_its_connection() throws Exception {
    String body = "a".repeat(64 * 1024);
    try (Wire wire =
        Wire.answering("HTTP/1.1 200 OK\r\ncontent-length: " + body.length() + "\r\n\r\n" + body)) {
      deliveries.deliver(wire.url());
      deliveries.deliver(wire.url());

      assertThat(wire.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_compressed_answer_is_not_unpacked() throws Exception {
    try (Wire wire =
        Wire.answering(
            "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n\u001f\u008b")) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(deliveries.record().path("response").path("body").stringValue()).isEqualTo("H4s=");
      assertThat(wire.requests.getFirst()).doesNotContainIgnoringCase("accept-encoding");
    }
  }

  @Test
  void an_interim_answer_is_not_the_answer() throws Exception {
    try (Wire wire =
        Wire.answering("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + answer(500, ""))) {
      assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("http_500");
    }
  }

  @Test
  void hundreds_of_slow_deliveries_to_one_merchant_do_not_hold_up_another() throws Exception {
    CountDownLatch arrived = new CountDownLatch(400);
    CountDownLatch letGo = new CountDownLatch(1);
    try (Wire slow =
            new Wire((w, socket) -> {
              w.readRequest(socket);
              arrived.countDown();
              letGo.await();
              Wire.send(socket, answer(200, ""));
            });
        Wire quick = Wire.answering(answer(200, ""));
        Deliveries deliveries =
            new Deliveries(
                HttpHandlerConfig.defaults().withAllow("127.0.0.1").withConcurrency(1_000));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var held = new java.util.ArrayList<java.util.concurrent.Future<Outcome>>();
      for (int i = 0; i < 400; i++) {
        FakeContext context =
            new FakeContext(Deliveries.payload(slow.url()), 1, Duration.ofSeconds(60));
        held.add(threads.submit(() -> deliveries.handler.run(context)));
      }
      assertThat(arrived.await(30, TimeUnit.SECONDS)).as("all are under way at once").isTrue();
      assertThat(deliveries.deliver(quick.url())).isEqualTo(Outcome.completed());
      letGo.countDown();
      for (var delivery : held) {
        assertThat(delivery.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.completed());
      }
    }
  }

  @Test
  void the_jdks_own_server_is_served() throws Exception {
    AtomicReference<String> received = new AtomicReference<>("");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/notify",
        exchange -> {
          received.set(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("success".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort() + "/notify";
      assertThat(deliveries.deliver(url)).isEqualTo(Outcome.completed());
      assertThat(received).hasValue("{\"order\":7}");
      assertThat(deliveries.record().path("response").path("body").stringValue())
          .isEqualTo("success");
    } finally {
      server.stop(0);
    }
  }

  static String answer(int status, String headers) {
    return "HTTP/1.1 " + status + " X\r\n" + headers + "content-length: 0\r\n\r\n";
  }
}
