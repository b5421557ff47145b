package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.failure;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Certificates are verified; that trusting this one makes the delivery pass is the control. */
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
  private static final HttpHandlerConfig CONFIG =
      HttpHandlerConfig.defaults().withAllow("127.0.0.0/8");

  private static SSLContext merchant = SSLContexts.createDefault();

  @BeforeAll
  static void certify(@TempDir Path directory) throws Exception {
    Path store = directory.resolve("merchant.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "merchant",
                "-keyalg",
                "EC",
                "-dname",
                "CN=merchant.example",
                "-ext",
                "SAN=dns:merchant.example",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(keys, PASSWORD);
    var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(keys);
    merchant = SSLContext.getInstance("TLS");
    merchant.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
  }

  @Test
  void a_certificate_that_nobody_vouches_for_fails() throws Exception {
    try (Wire wire = tlsWire();
        Deliveries deliveries = deliveries(SSLContexts.createDefault())) {
      assertThat(deliverTo("merchant.example", wire, deliveries))
          .isEqualTo("certificate_untrusted");
      assertThat(wire.requests).isEmpty();
    }
  }

  @Test
  void a_trusted_certificate_of_the_name_is_delivered_to() throws Exception {
    try (Wire wire = tlsWire();
        Deliveries deliveries = deliveries(merchant)) {
      assertThat(deliveries.deliver("https://merchant.example:" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
      assertThat(wire.requests).hasSize(1);
      assertThat(deliveries.record().path("millis").properties())
          .extracting(Map.Entry::getKey)
          .containsExactly("lookup", "tcp", "connect", "head", "total");
      assertThat(deliveries.record().path("millis")).extracting(JsonNode::longValue).isSorted();
    }
  }

  @Test
  void the_certificate_is_verified_through_a_proxy_as_well() throws Exception {
    try (Wire wire = tlsWire();
        LittleProxy proxy = new LittleProxy();
        Deliveries deliveries =
            new Deliveries(
                CONFIG.withProxy(DeliveryProxy.of(proxy.url())),
                (_, _, _) -> true,
                _ -> loopback(),
                merchant)) {
      assertThat(deliveries.deliver("https://merchant.example:" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
      assertThat(deliverTo("other.example", wire, deliveries)).isEqualTo("certificate_name");
      assertThat(proxy.asked)
          .hasSize(2)
          .allMatch(head -> head.startsWith("CONNECT 127.0.0.1:" + wire.port() + " HTTP/1.1\r\n"))
          .noneMatch(head -> head.contains("example"));
    }
  }

  @Test
  void a_trusted_certificate_of_another_name_fails() throws Exception {
    try (Wire wire = tlsWire();
        Deliveries deliveries = deliveries(merchant)) {
      assertThat(deliverTo("other.example", wire, deliveries)).isEqualTo("certificate_name");
      assertThat(wire.requests).isEmpty();
    }
  }

  @Test
  void a_server_that_speaks_plain_http_fails() throws Exception {
    try (Wire wire = new Wire((w, socket) -> Wire.send(socket, OK));
        Deliveries deliveries = deliveries(merchant)) {
      assertThat(deliverTo("merchant.example", wire, deliveries)).isEqualTo("tls_failed");
    }
  }

  @Test
  void the_guard_stands_before_tls() throws Exception {
    try (Wire wire = tlsWire();
        Deliveries deliveries =
            new Deliveries(
                HttpHandlerConfig.defaults(),
                new AddressRules(AllowList.parse("")),
                _ -> loopback(),
                merchant)) {
      assertThat(deliverTo("merchant.example", wire, deliveries)).isEqualTo("address_refused");
      assertThat(wire.connections()).isZero();
    }
  }

  private static String deliverTo(String host, Wire wire, Deliveries deliveries) {
    Outcome outcome = deliveries.deliver("https://" + host + ":" + wire.port() + "/");
    assertThat(failure(outcome).message() + deliveries.recordText())
        .as("the own words only")
        .doesNotContainIgnoringCase("sun.", "javax", "exception", "PKIX", "127.0.0.1");
    return reason(outcome);
  }

  private static Deliveries deliveries(SSLContext tls) {
    return new Deliveries(CONFIG, (_, _, _) -> true, _ -> loopback(), tls);
  }

  private static InetAddress[] loopback() {
    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
  }

  private static Wire tlsWire() throws IOException {
    return new Wire(
        serverSocket(),
        (wire, socket) -> {
          wire.readRequest(socket);
          Wire.send(socket, OK);
        });
  }

  private static SSLServerSocket serverSocket() throws IOException {
    return (SSLServerSocket)
        merchant
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  }
}
