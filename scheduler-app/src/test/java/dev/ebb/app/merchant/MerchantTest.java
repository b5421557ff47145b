package dev.ebb.app.merchant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MerchantTest {
  private static final Duration SLOW = Duration.ofMillis(300);

  /** A port that nobody takes while it is closed. */
  private final Merchant merchant =
      Merchant.start("127.0.0.1", TestPostgres.freePort(), List.of("control"), SLOW);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @AfterEach
  void stop() {
    merchant.close();
    client.close();
  }

  @ParameterizedTest
  @CsvSource({
    "ok,200,{\"received\":true}",
    "500,500,{\"error\":\"the merchant was told to fail\"}",
    "429,429,{\"error\":\"too many\"}",
    "success,200,success",
    "paid,200,{\"status\":\"PENDING\"}",
    "410,410,{\"error\":\"gone\"}",
    "wrong-body,200,{\"received\":false}",
    "html,200,<html><body>Please log in</body></html>"
  })
  void a_delivery_is_answered_as_the_behaviour_says(String word, int status, String body)
      throws Exception {
    behave(word);

    HttpResponse<String> answer = deliver();

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo(body);
  }

  @Test
  void a_path_that_asks_for_a_behaviour_gets_it_whatever_the_merchant_was_told() throws Exception {
    behave("500");

    assertThat(deliver("/as/429/tea").statusCode()).isEqualTo(429);
    assertThat(deliver("/as/ok").statusCode()).isEqualTo(200);
    for (String path : List.of("/as/nonsense/tea", "/as", "/tea/as/ok", "//as/ok")) {
      assertThat(deliver(path).statusCode()).as(path).isEqualTo(500);
    }
  }

  @Test
  void throttling_says_when_to_come_again() throws Exception {
    behave("429");

    assertThat(deliver().headers().firstValue("retry-after")).contains("5");
  }

  @Test
  void slow_answers_late() throws Exception {
    behave("slow");
    long before = System.nanoTime();

    assertThat(deliver().statusCode()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SLOW);
  }

  @Test
  void close_ends_the_connection_without_an_answer() throws Exception {
    behave("close");

    assertThat(deliverRaw()).isEmpty();
    assertThat(merchant.total()).isEqualTo(1);
  }

  @Test
  void down_refuses_connections_until_it_is_switched_back_and_the_control_stays_reachable()
      throws Exception {
    assertThat(deliver().statusCode()).isEqualTo(200);
    behave("down");

    assertThatThrownBy(this::deliverRaw).isInstanceOf(ConnectException.class);

    behave("ok");
    assertThat(deliverRaw()).startsWith("HTTP/1.1 200 OK");
  }

  @Test
  void the_mix_is_mostly_ok_and_has_every_mishap() {
    Random random = new Random(7);
    Behaviour[] drawn =
        IntStream.range(0, 10_000)
            .mapToObj(_ -> Behaviour.MIX.draw(random))
            .toArray(Behaviour[]::new);

    assertThat(drawn)
        .containsOnly(
            Behaviour.OK, Behaviour.ERROR, Behaviour.THROTTLE, Behaviour.CLOSE, Behaviour.HTML);
    assertThat(Arrays.stream(drawn).filter(Behaviour.OK::equals).count()).isBetween(6_750L, 7_250L);
  }

  @Test
  void the_control_shows_counts_and_the_last_deliveries_but_no_bodies() throws Exception {
    deliver();
    behave("500");
    deliver();
    deliver();

    String text = client.send(control("/").build(), BodyHandlers.ofString()).body();
    JsonNode status = JsonMapper.shared().readTree(text);

    assertThat(text).doesNotContain("secret");
    assertThat(status.get("behaviour").asString()).isEqualTo("500");
    assertThat(status.get("total").asInt()).isEqualTo(3);
    assertThat(status.get("answers").get("ok").asInt()).isEqualTo(1);
    assertThat(status.get("answers").get("500").asInt()).isEqualTo(2);
    assertThat(status.get("last")).hasSize(3);
    assertThat(status.get("last").get(0).get("answer").asString()).isEqualTo("500");
    assertThat(status.get("last").get(2).get("webhookId").asString()).isEqualTo("msg-1");
  }

  @Test
  void only_the_last_deliveries_are_kept() throws Exception {
    for (int i = 0; i < Deliveries.LAST + 5; i++) {
      deliver();
    }

    String text = client.send(control("/").build(), BodyHandlers.ofString()).body();

    assertThat(JsonMapper.shared().readTree(text).get("last")).hasSize(Deliveries.LAST);
    assertThat(merchant.total()).isEqualTo(Deliveries.LAST + 5);
  }

  @Test
  void an_unknown_behaviour_is_refused_with_the_one_that_was_meant() throws Exception {
    HttpResponse<String> answer = put("slwo");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("Did you mean slow?");
    assertThat(merchant.behaviour()).isEqualTo(Behaviour.OK);
  }

  @Test
  void a_chunked_body_and_what_is_not_http_do_no_harm() throws Exception {
    HttpRequest chunked =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + merchant.port() + "/"))
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new java.io.ByteArrayInputStream(new byte[100_000])))
            .build();

    assertThat(client.send(chunked, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(raw("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(raw("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(raw("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n")).isEmpty();
    assertThat(deliver().statusCode()).isEqualTo(200);
  }

  @Test
  void the_control_does_not_obey_a_page_whose_name_was_made_to_lead_there() throws Exception {
    String order = "PUT /behaviour HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n";
    String body = "Content-Length: 3\r\n\r\n500";

    assertThat(raw(merchant.controlPort(), order.formatted("evil.example:80") + body))
        .startsWith("HTTP/1.1 421 ")
        .contains("EBB_HTTP_NAMES");
    assertThat(merchant.behaviour()).isEqualTo(Behaviour.OK);
    for (String host : List.of("localhost", "127.0.0.1:1", "control:8091")) {
      assertThat(raw(merchant.controlPort(), order.formatted(host) + body))
          .startsWith("HTTP/1.1 200 ");
    }
    assertThat(raw("GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n"))
        .as("a delivery may come under any name")
        .startsWith("HTTP/1.1 500 ");
  }

  @Test
  void a_taken_port_is_told_with_the_setting_to_change() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CannotStart refused =
          catchThrowableOfType(
              CannotStart.class, () -> Merchant.start("127.0.0.1", taken.getLocalPort()));

      assertThat(refused.sentence()).contains("EBB_MERCHANT_PORT");
      assertThat(refused.exitCode()).isEqualTo(CannotStart.UNABLE);
    }
  }

  private void behave(String word) throws Exception {
    assertThat(put(word).statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> put(String word) throws Exception {
    return client.send(
        control("/behaviour").PUT(BodyPublishers.ofString(word)).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder control(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + merchant.controlPort() + path));
  }

  private HttpResponse<String> deliver() throws Exception {
    return deliver("/orders");
  }

  private HttpResponse<String> deliver(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + merchant.port() + path))
            .header("webhook-id", "msg-1")
            .POST(BodyPublishers.ofString("{\"secret\":1}"))
            .build(),
        BodyHandlers.ofString());
  }

  private String deliverRaw() throws IOException {
    return raw("POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");
  }

  private String raw(String request) throws IOException {
    return raw(merchant.port(), request);
  }

  private static String raw(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
