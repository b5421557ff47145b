package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.Deliveries.reason;
import static dev.ebb.worker.http.HttpHandlerTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.tls.TlsSettings;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.json.DestinationJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Authorities and client certificates of a destination's own. */
class TlsIdentityTest {
  private static final String NOBODY = "nobody";

  private static Certificates certificates;

  private final Deliveries deliveries = deliveries(DeliveryTls.context(null));

  /** Whom the merchant saw, for each request. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void certify() throws Exception {
    certificates = Certificates.all();
  }

  @AfterEach
  void close() {
    deliveries.close();
  }

  private static Deliveries deliveries(SSLContext usual) {
    return new Deliveries(
        HttpHandlerConfig.defaults().withAllow("127.0.0.0/8"),
        (_, _, _) -> true,
        _ -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")},
        usual);
  }

  private static TlsSettings showing(String client) throws Exception {
    String sealed = TestSecrets.seal(certificates.key(client), TlsSettings.context("default"));
    return new TlsSettings(certificates.pem("root"), certificates.pem(client), sealed);
  }

  private Outcome deliver(Wire wire, @Nullable TlsSettings tls) {
    URI url = URI.create("https://merchant.example:" + wire.port() + "/");
    ObjectNode stored =
        DestinationJson.write(
            new Destination(url, null, Map.of(), ResponseRules.DEFAULT, null, Map.of()));
    if (tls != null) {
      stored.set("tls", JsonMapper.shared().readTree(DestinationJson.tls(tls)));
    }
    FakeContext context = new FakeContext("{}", 1, LONG);
    context.destination = stored.toString();
    return deliveries.run(context);
  }

  private SSLServerSocket server(SSLContext merchant) throws IOException {
    return (SSLServerSocket)
        merchant
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  }

  private Wire merchant(SSLServerSocket server) {
    return new Wire(
        server,
        (wire, socket) -> {
          while (wire.readRequest(socket)) {
            seen.add(client((SSLSocket) socket));
            Wire.send(socket, answer(200, ""));
          }
        });
  }

  private static String client(SSLSocket socket) {
    try {
      return socket.getSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException _) {
      return NOBODY;
    }
  }

  @Test
  void authorities_of_its_own_vouch_for_a_destination_and_for_no_other() throws Exception {
    TlsSettings root = new TlsSettings(certificates.pem("root"), null, null);
    try (Wire wire = merchant(server(certificates.showing("good", 9)))) {
      assertThat(deliver(wire, root)).isEqualTo(Outcome.completed());
      assertThat(reason(deliver(wire, null))).isEqualTo("certificate_untrusted");
      assertThat(deliver(wire, root)).isEqualTo(Outcome.completed());
      assertThat(wire.requests).hasSize(2);
    }
  }

  @Test
  void authorities_of_its_own_take_the_place_of_the_usual_ones() throws Exception {
    TlsSettings other = new TlsSettings(certificates.pem("stranger"), null, null);
    try (Wire wire = merchant(server(certificates.showing("good", 9)));
        Deliveries trusting = deliveries(certificates.trusting())) {
      String url = "https://merchant.example:" + wire.port() + "/";
      assertThat(trusting.deliver(url)).as("the control").isEqualTo(Outcome.completed());
      assertThat(reason(deliver(wire, other))).isEqualTo("certificate_untrusted");
    }
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.2, client", "TLSv1.3, client", "TLSv1.2, rsa-client", "TLSv1.3, rsa-client"})
  void a_destination_that_needs_a_client_certificate_sees_its_own(String version, String client)
      throws Exception {
    SSLServerSocket server = server(certificates.takingClients());
    server.setEnabledProtocols(new String[] {version});
    server.setNeedClientAuth(true);
    try (Wire wire = merchant(server)) {
      assertThat(deliver(wire, showing(client))).isEqualTo(Outcome.completed());
      assertThat(seen).containsExactly("CN=" + client);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_client_certificate_that_is_not_taken_says_so(String version) throws Exception {
    SSLServerSocket server = server(certificates.takingClients());
    server.setEnabledProtocols(new String[] {version});
    server.setNeedClientAuth(true);
    try (Wire wire = merchant(server)) {
      Outcome outcome = deliver(wire, showing("alone"));
      assertThat(reason(outcome)).as(outcome.toString()).isEqualTo("client_certificate_refused");
      assertThat(wire.requests).isEmpty();
    }
  }

  @Test
  void no_connection_is_shared_between_identities_of_one_host() throws Exception {
    SSLServerSocket server = server(certificates.takingClients());
    server.setWantClientAuth(true);
    TlsSettings one = showing("client");
    TlsSettings another = showing("another-client");
    TlsSettings none = new TlsSettings(certificates.pem("root"), null, null);
    try (Wire wire = merchant(server)) {
      for (TlsSettings tls : new TlsSettings[] {one, one, another, none, none, one}) {
        assertThat(deliver(wire, tls)).isEqualTo(Outcome.completed());
      }
      assertThat(seen)
          .containsExactly(
              "CN=client", "CN=client", "CN=another-client", NOBODY, NOBODY, "CN=client");
      assertThat(wire.connections()).as("the same identity keeps its connection").isEqualTo(4);
      assertThat(reason(deliver(wire, null))).isEqualTo("certificate_untrusted");
    }
  }

  @Test
  void nothing_goes_out_where_the_key_cannot_be_opened() throws Exception {
    String elsewhere = TestSecrets.seal(certificates.key("client"), TlsSettings.context("another"));
    TlsSettings tls =
        new TlsSettings(certificates.pem("root"), certificates.pem("client"), elsewhere);
    try (Wire wire = merchant(server(certificates.takingClients()))) {
      assertThat(reason(deliver(wire, tls))).isEqualTo("client_key_sealed");
      TlsSettings byAnother = new TlsSettings(tls.trust(), tls.certificate(), "0badc0de.AAAA");
      assertThat(deliver(wire, byAnother)).isInstanceOf(Outcome.NotReady.class);
      assertThat(wire.connections()).isZero();
    }
  }

  @Test
  void nothing_goes_out_where_the_settings_cannot_be_read() throws Exception {
    TlsSettings tls = new TlsSettings("of a later version", null, null);
    try (Wire wire = merchant(server(certificates.takingClients()))) {
      assertThat(reason(deliver(wire, tls))).isEqualTo("client_key_unreadable");
      assertThat(wire.connections()).isZero();
    }
  }
}
