package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.HttpHandlerTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.json.DestinationJson;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the record of an attempt proves: where it went, to whom, and why it ended as it did. */
class ProofTest {
  private static final String HOST = "merchant.example";

  private static Certificates certificates;

  private Deliveries deliveries;

  @BeforeAll
  static void certify() throws Exception {
    certificates = Certificates.all();
  }

  @BeforeEach
  void open() throws Exception {
    deliveries = deliveries(null);
  }

  @AfterEach
  void close() {
    deliveries.close();
  }

  private static Deliveries deliveries(@Nullable DeliveryProxy proxy) throws Exception {
    HttpHandlerConfig config = HttpHandlerConfig.defaults().withAllow("127.0.0.0/8, ::1");
    return new Deliveries(
        proxy == null ? config : config.withProxy(proxy),
        (_, _, _) -> true,
        host ->
            host.equals("six.example")
                ? new InetAddress[] {InetAddress.ofLiteral("::1")}
                : new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")},
        certificates.trusting());
  }

  private JsonNode connection() {
    return deliveries.record().path("connection");
  }

  private static Wire secured(String version) throws Exception {
    SSLServerSocket server =
        (SSLServerSocket)
            certificates
                .showing("good", 2)
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    server.setEnabledProtocols(new String[] {version});
    return new Wire(
        server,
        (wire, socket) -> {
          while (wire.readRequest(socket)) {
            Wire.send(socket, answer(200, ""));
          }
        });
  }

  @Test
  void it_names_the_address_that_was_connected_to_and_a_kept_connection() throws Exception {
    try (Wire wire = Wire.answering(answer(200, ""))) {
      String url = "http://" + HOST + ":" + wire.port() + "/";
      deliveries.deliver(url);

      assertThat(connection().path("address").stringValue()).isEqualTo("127.0.0.1:" + wire.port());
      assertThat(connection().has("kept")).isFalse();
      assertThat(connection().has("tls")).isFalse();
      deliveries.deliver(url);
      assertThat(connection().path("address").stringValue()).isEqualTo("127.0.0.1:" + wire.port());
      assertThat(connection().path("kept").booleanValue()).isTrue();
      assertThat(deliveries.record().path("millis").properties())
          .extracting(Map.Entry::getKey)
          .containsExactly("connect", "head", "total");
    }
  }

  @Test
  void an_address_of_six_is_in_brackets() throws Exception {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("::1"));
    try (Wire wire =
        new Wire(
            server,
            (w, socket) -> {
              w.readRequest(socket);
              Wire.send(socket, answer(200, ""));
            })) {
      deliveries.deliver("http://six.example:" + wire.port() + "/");

      assertThat(connection().path("address").stringValue())
          .isEqualTo("[0:0:0:0:0:0:0:1]:" + wire.port());
    }
  }

  @Test
  void a_request_that_was_sent_again_names_the_new_connection() throws Exception {
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(socket, answer(200, ""));
          w.readRequest(socket);
        })) {
      deliveries.deliver(wire.url());
      deliveries.deliver(wire.url());

      assertThat(deliveries.record().path("request").path("resent").booleanValue()).isTrue();
      assertThat(connection().has("kept")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void it_names_the_tls_and_the_certificate_that_was_shown(String version) throws Exception {
    try (Wire wire = secured(version)) {
      String url = "https://" + HOST + ":" + wire.port() + "/";
      for (int i = 0; i < 2; i++) {
        assertThat(deliveries.deliver(url)).isEqualTo(Outcome.completed());
        JsonNode tls = connection().path("tls");
        assertThat(tls.path("version").stringValue()).isEqualTo(version);
        assertThat(tls.path("subject").stringValue()).contains("CN=");
        assertThat(tls.path("sha256").stringValue()).isEqualTo(fingerprint());
      }
      assertThat(connection().path("kept").booleanValue()).isTrue();
    }
  }

  private static String fingerprint() throws Exception {
    byte[] shown = certificates.certificate("good").getEncoded();
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(shown));
  }

  @Test
  void a_handshake_that_fails_still_says_where() throws Exception {
    try (Wire wire = secured("TLSv1.3")) {
      deliveries.deliver("https://other.example:" + wire.port() + "/");

      assertThat(connection().path("address").stringValue()).isEqualTo("127.0.0.1:" + wire.port());
      assertThat(connection().has("tls")).isFalse();
    }
  }

  @Test
  void what_connects_nowhere_has_no_connection() {
    deliveries.deliver("http://" + HOST + ":" + Wire.deadPort() + "/");

    assertThat(deliveries.record().has("connection")).isFalse();
    assertThat(deliveries.record().has("rule")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "https"})
  void behind_a_proxy_it_is_the_address_that_the_proxy_was_asked_for(String scheme)
      throws Exception {
    try (Wire wire = scheme.equals("http") ? Wire.answering(answer(200, "")) : secured("TLSv1.3");
        LittleProxy proxy = new LittleProxy();
        Deliveries proxied = deliveries(DeliveryProxy.of(proxy.url()))) {
      proxied.deliver(scheme + "://" + HOST + ":" + wire.port() + "/");

      assertThat(proxied.record().path("connection").path("address").stringValue())
          .isEqualTo("127.0.0.1:" + wire.port());
    }
  }

  @Test
  void it_names_the_version_of_the_destination_whose_address_was_used() throws Exception {
    try (Wire wire = Wire.answering(answer(200, ""))) {
      String stored = "{\"url\":\"%s\"}".formatted(wire.url());
      FakeContext to = new FakeContext("{\"body\":1}", 1, LONG);
      to.destination = stored;
      deliveries.run(to);
      FakeContext elsewhere = new FakeContext(Deliveries.payload(wire.url()), 1, LONG);
      elsewhere.destination = stored;
      deliveries.run(elsewhere);

      assertThat(to.record().path("destination").path("name").stringValue()).isEqualTo("default");
      assertThat(to.record().path("destination").path("version").stringValue())
          .isEqualTo(DestinationJson.version(stored));
      assertThat(elsewhere.record().has("destination")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | ''                              | success rule http-2xx",
        "500 | ''                              | default: 500 is not in the success rule http-2xx",
        "302 | ''                              | default: 302 is not in the success rule http-2xx",
        "410 | ''                              | default: 410 ends all attempts",
        "429 | ''                              | default: 429 slows the queue down",
        "503 | 'retry-after: 3\r\n'            | default: the header Retry-After",
        "500 | 'webhook-delivery: disable\r\n' | default: the header webhook-delivery",
      })
  void it_names_the_rule_that_decided(int status, String headers, String rule) throws Exception {
    String lines = headers.replace("\\r\\n", "\r\n");
    try (Wire wire = Wire.answering(answer(status, lines))) {
      deliveries.deliver(wire.url());

      assertThat(deliveries.record().path("rule").stringValue()).isEqualTo(rule);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"alipay\" | success rule alipay: the status fits, but the body is not what success asks for",
        "{\"body\":{\"equals\":\"hush\"}} | destination's own success rule: the status fits, but the"
            + " body is not what success asks for",
      })
  void a_body_that_does_not_fit_is_named_and_neither_is_quoted(String success, String rule)
      throws Exception {
    try (Wire wire = Wire.answering("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfail")) {
      deliveries.run("{\"url\":\"%s\",\"success\":%s}".formatted(wire.url(), success), LONG);

      assertThat(deliveries.record().path("rule").stringValue()).isEqualTo(rule);
    }
  }

  @Test
  void a_class_is_named_by_its_place_and_its_reason() throws Exception {
    try (Wire wire = Wire.answering(answer(404, ""))) {
      deliveries.run(
          """
          {"url":"%s","classes":[
            {"statuses":["409"],"effect":"throttled","reason":"busy"},
            {"statuses":["4xx"],"effect":"permanent","reason":"order_unknown"}]}
          """
              .formatted(wire.url()),
          LONG);

      assertThat(deliveries.record().path("rule").stringValue())
          .isEqualTo("class 2, order_unknown: permanent");
    }
  }
}
