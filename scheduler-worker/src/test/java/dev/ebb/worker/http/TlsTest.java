package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.failure;
import static dev.ebb.worker.http.Deliveries.reason;
import static dev.ebb.worker.http.HttpHandlerTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Certificates are verified, and each refusal has a reason of its own; that the good one passes is
 * the control.
 */
class TlsTest {
  private static final String HOST = "merchant.example";
  private static final int WHOLE = 9;

  private static Certificates certificates;

  private Deliveries deliveries;

  @BeforeAll
  static void certify() throws Exception {
    certificates = Certificates.all();
  }

  @BeforeEach
  void open() throws Exception {
    deliveries = deliveries(certificates.trusting());
  }

  @AfterEach
  void close() {
    deliveries.close();
  }

  @Test
  void a_trusted_certificate_of_the_name_is_delivered_to() throws Exception {
    try (Wire wire = showing("good", 2)) {
      assertThat(deliveries.deliver("https://" + HOST + ":" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
      assertThat(wire.requests).hasSize(1);
      assertThat(deliveries.record().path("millis").properties())
          .extracting(Map.Entry::getKey)
          .containsExactly("lookup", "tcp", "connect", "head", "total");
      assertThat(deliveries.record().path("millis")).extracting(JsonNode::longValue).isSorted();
    }
  }

  @Test
  void a_certificate_of_an_internationalized_name_is_verified_as_it_stands_in_the_url()
      throws Exception {
    try (Wire wire = showing("good", 2)) {
      assertThat(deliveries.deliver("https://xn--bcher-kva.example:" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
      assertThat(deliverTo("xn--bcher-lva.example", wire)).isEqualTo("certificate_name");
    }
  }

  @Test
  void the_certificate_is_verified_through_a_proxy_as_well() throws Exception {
    HttpHandlerConfig config = HttpHandlerConfig.defaults().withAllow("127.0.0.0/8");
    try (Wire wire = showing("good", WHOLE);
        LittleProxy proxy = new LittleProxy();
        Deliveries proxied =
            new Deliveries(
                config.withProxy(DeliveryProxy.of(proxy.url())),
                (_, _, _) -> true,
                _ -> loopback(),
                certificates.trusting())) {
      assertThat(proxied.deliver("https://" + HOST + ":" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
      assertThat(reason(proxied.deliver("https://other.example:" + wire.port() + "/")))
          .isEqualTo("certificate_name");
      assertThat(proxy.asked)
          .hasSize(2)
          .allMatch(head -> head.startsWith("CONNECT 127.0.0.1:" + wire.port() + " HTTP/1.1\r\n"))
          .noneMatch(head -> head.contains("example"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "over, 9, certificate_expired",
    "over, 1, certificate_expired",
    "behind-over, 9, certificate_expired",
    "behind-over, 2, certificate_expired",
    "to-come, 9, certificate_not_yet_valid",
    "good, 1, certificate_chain_incomplete",
    "strange, 1, certificate_chain_incomplete",
    "strange, 9, certificate_untrusted",
    "alone, 9, certificate_untrusted",
    "client, 9, certificate_untrusted"
  })
  void a_certificate_that_is_refused_says_why(String shown, int length, String reason)
      throws Exception {
    try (Wire wire = showing(shown, length)) {
      assertThat(deliverTo(HOST, wire)).isEqualTo(reason);
      assertThat(wire.requests).isEmpty();
    }
  }

  @Test
  void an_authority_of_the_merchants_own_is_not_trusted_by_default() throws Exception {
    try (Wire wire = showing("good", WHOLE);
        Deliveries by = deliveries(DeliveryTls.context(null))) {
      assertThat(reason(by.deliver("https://" + HOST + ":" + wire.port() + "/")))
          .isEqualTo("certificate_untrusted");
    }
  }

  @Test
  void a_trusted_certificate_of_another_name_fails() throws Exception {
    try (Wire wire = showing("good", WHOLE)) {
      assertThat(deliverTo("other.example", wire)).isEqualTo("certificate_name");
      assertThat(wire.requests).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_merchant_that_needs_a_client_certificate_is_told_apart(String version) throws Exception {
    SSLServerSocket server = server("good", WHOLE);
    server.setEnabledProtocols(new String[] {version});
    server.setNeedClientAuth(true);
    try (Wire wire = answering(server)) {
      assertThat(deliverTo(HOST, wire)).isEqualTo("client_certificate_required");
      assertThat(wire.requests).isEmpty();
    }
  }

  @Test
  void a_merchant_that_would_like_a_client_certificate_does_without() throws Exception {
    SSLServerSocket server = server("good", WHOLE);
    server.setWantClientAuth(true);
    try (Wire wire = answering(server)) {
      assertThat(deliveries.deliver("https://" + HOST + ":" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
    }
    SSLServerSocket untrusted = server("alone", WHOLE);
    untrusted.setWantClientAuth(true);
    try (Wire wire = answering(untrusted)) {
      assertThat(deliverTo(HOST, wire)).isEqualTo("certificate_untrusted");
    }
  }

  @Test
  void a_merchant_that_asks_for_a_certificate_and_hangs_up_says_so_by_that() throws Exception {
    SSLServerSocket server = server("good", WHOLE);
    server.setWantClientAuth(true);
    try (Wire wire = new Wire(server, (w, socket) -> w.readRequest(socket))) {
      assertThat(deliverTo(HOST, wire)).isEqualTo("client_certificate_required");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Alerts: protocol_version, handshake_failure, insufficient_security.
        "15030100020246 | tls_protocol",
        "15030300020228 | tls_protocol",
        "15030300020247 | tls_protocol",
        // A ServerHello of TLS 1.0.
        "160301002a020000260301@00c01300 | tls_protocol",
        // Alerts: internal_error, unrecognized_name.
        "15030300020250 | tls_failed",
        "15030300020270 | tls_failed"
      })
  void a_merchant_that_speaks_another_tls_is_told_apart(String hex, String reason)
      throws Exception {
    byte[] bytes = HexFormat.of().parseHex(hex.replace("@", "00".repeat(32)));
    try (Wire wire =
        new Wire((w, socket) -> {
          socket.getInputStream().read();
          Wire.send(socket, bytes);
          socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        })) {
      assertThat(deliverTo(HOST, wire)).isEqualTo(reason);
    }
  }

  @Test
  void a_server_that_speaks_no_tls_is_told_apart() throws Exception {
    try (Wire wire = new Wire((w, socket) -> Wire.send(socket, answer(400, "")))) {
      assertThat(deliverTo(HOST, wire)).isEqualTo("tls_not_spoken");
    }
  }

  @Test
  void a_server_that_hangs_up_within_the_handshake_closed_the_connection() throws Exception {
    try (Wire wire =
        new Wire((w, socket) -> {
          socket.getInputStream().read();
          socket.shutdownOutput();
          socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        })) {
      assertThat(deliverTo(HOST, wire)).isEqualTo("connection_closed");
    }
  }

  @Test
  void a_used_connection_that_breaks_unanswered_is_replaced_at_once() throws Exception {
    try (Wire wire =
        new Wire(
            server("good", WHOLE),
            (w, socket) -> {
              w.readRequest(socket);
              Wire.send(socket, answer(200, ""));
              w.readRequest(socket);
            })) {
      for (int i = 0; i < 3; i++) {
        assertThat(deliveries.deliver("https://" + HOST + ":" + wire.port() + "/"))
            .isEqualTo(Outcome.completed());
      }
      assertThat(wire.connections()).isEqualTo(3);
      assertThat(wire.requests).hasSize(5);
    }
  }

  @Test
  void the_guard_stands_before_tls() throws Exception {
    try (Wire wire = showing("good", WHOLE);
        Deliveries guarded =
            new Deliveries(
                HttpHandlerConfig.defaults(),
                new AddressRules(AllowList.parse("")),
                _ -> loopback(),
                certificates.trusting())) {
      assertThat(reason(guarded.deliver("https://" + HOST + ":" + wire.port() + "/")))
          .isEqualTo("address_refused");
      assertThat(wire.connections()).isZero();
    }
  }

  private String deliverTo(String host, Wire wire) {
    Outcome outcome = deliveries.deliver("https://" + host + ":" + wire.port() + "/");
    String record = deliveries.recordText().replace("\"address\":\"127.0.0.1:", "");
    assertThat(failure(outcome).message() + record)
        .as("the own words only")
        .doesNotContainIgnoringCase("sun.", "javax", "exception", "PKIX", "127.0.0.1");
    return reason(outcome);
  }

  private static Deliveries deliveries(SSLContext tls) {
    HttpHandlerConfig config = HttpHandlerConfig.defaults().withAllow("127.0.0.0/8");
    return new Deliveries(config, (_, _, _) -> true, _ -> loopback(), tls);
  }

  private static InetAddress[] loopback() {
    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
  }

  private static Wire showing(String certificate, int length) throws Exception {
    return answering(server(certificate, length));
  }

  private static Wire answering(SSLServerSocket server) {
    return new Wire(
        server,
        (wire, socket) -> {
          if (wire.readRequest(socket)) {
            Wire.send(socket, answer(200, ""));
          }
        });
  }

  private static SSLServerSocket server(String certificate, int length) throws Exception {
    return (SSLServerSocket)
        certificates
            .showing(certificate, length)
            .getServerSocketFactory()
            .createServerSocket(0, 50, loopback()[0]);
  }
}
