package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.Deliveries.failure;
import static dev.ebb.worker.http.Deliveries.payload;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard at work, with a server behind it that must not be called. */
@Isolated("changes system properties")
class AddressGuardTest {
  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
  private static final HttpHandlerConfig PUBLIC_ONLY = HttpHandlerConfig.defaults();

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "[::1]", "localhost", "0.0.0.0", "[::]", "127.8.8.8"})
  void loopback_is_not_called(String host) throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries = new Deliveries(PUBLIC_ONLY)) {
      Outcome outcome = deliveries.deliver("http://" + host + ":" + wire.port() + "/");

      assertThat(outcome).isInstanceOf(Outcome.Fatal.class);
      assertThat(reason(outcome)).isEqualTo("address_refused");
      assertThat(wire.connections()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "0.0.0.0"})
  void without_the_guard_loopback_is_called(String host) throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries =
            new Deliveries(PUBLIC_ONLY, (_, _, _) -> true, InetAddress::getAllByName)) {
      Outcome outcome = deliveries.deliver("http://" + host + ":" + wire.port() + "/");

      assertThat(outcome).isEqualTo(Outcome.completed());
      assertThat(wire.requests).hasSize(1);
    }
  }

  @Test
  void the_address_is_judged_and_not_the_text() throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries = new Deliveries(PUBLIC_ONLY, _ -> addresses("127.0.0.1"))) {
      Outcome outcome = deliveries.deliver("http://merchant.example:" + wire.port() + "/");

      assertThat(reason(outcome)).isEqualTo("address_refused");
      assertThat(wire.connections()).isZero();
    }
  }

  @Test
  void an_answer_that_changes_after_the_check_is_not_asked_for_again() throws Exception {
    AtomicInteger lookups = new AtomicInteger();
    Lookups.Resolver rebinding =
        _ -> addresses(lookups.getAndIncrement() % 2 == 0 ? "127.0.0.1" : "169.254.169.254");
    HttpHandlerConfig config = PUBLIC_ONLY.withAllow("127.0.0.1");
    try (Wire wire =
            new Wire((w, socket) -> {
              w.readRequest(socket);
              Wire.send(socket, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
            });
        Deliveries deliveries = new Deliveries(config, rebinding)) {
      String url = "http://merchant.example:" + wire.port() + "/";

      assertThat(deliveries.deliver(url)).isEqualTo(Outcome.completed());
      assertThat(lookups).hasValue(1);
      deliveries.tick(Lookups.REMEMBERED);
      assertThat(reason(deliveries.deliver(url))).isEqualTo("address_refused");
      assertThat(lookups).hasValue(2);
      assertThat(wire.requests).hasSize(1);
    }
  }

  @Test
  void a_remembered_answer_is_judged_at_every_use() throws Exception {
    AtomicInteger lookups = new AtomicInteger();
    AtomicBoolean permitted = new AtomicBoolean(true);
    Lookups.Resolver counted =
        _ -> {
          lookups.incrementAndGet();
          return addresses("127.0.0.1");
        };
    try (Wire wire =
            new Wire((w, socket) -> {
              w.readRequest(socket);
              Wire.send(socket, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
            });
        Deliveries deliveries =
            new Deliveries(PUBLIC_ONLY, (_, _, _) -> permitted.get(), counted)) {
      String url = "http://merchant.example:" + wire.port() + "/";

      assertThat(deliveries.deliver(url)).isEqualTo(Outcome.completed());
      permitted.set(false);
      assertThat(reason(deliveries.deliver(url))).isEqualTo("address_refused");
      assertThat(lookups).hasValue(1);
      assertThat(wire.requests).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1,10.0.0.1", "10.0.0.1,127.0.0.1", "127.0.0.1,::1"})
  void a_name_with_one_address_out_of_reach_is_refused_whole(String answer) throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries =
            new Deliveries(PUBLIC_ONLY.withAllow("127.0.0.1"), _ -> addresses(answer.split(",")))) {
      Outcome outcome = deliveries.deliver("http://merchant.example:" + wire.port() + "/");

      assertThat(reason(outcome)).isEqualTo("address_refused");
      assertThat(wire.connections()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xn--bcher-kva.example", "shop.xn--strae-oqa.example", "xn--a.example"})
  void a_name_is_asked_for_allowed_and_sent_as_it_stands_in_the_url(String name) throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    Lookups.Resolver resolver =
        host -> {
          asked.add(host);
          return addresses("127.0.0.1");
        };
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries = new Deliveries(PUBLIC_ONLY.withAllow(name), resolver)) {
      String authority = name + ":" + wire.port();

      assertThat(deliveries.deliver("http://" + authority + "/")).isEqualTo(Outcome.completed());
      assertThat(asked).containsExactly(name);
      assertThat(wire.requests.getFirst()).containsIgnoringCase("\r\nhost: " + authority + "\r\n");
    }
  }

  @Test
  void an_allowed_name_and_port_are_called_and_other_ports_are_not() throws Exception {
    try (Wire wire = Wire.answering(OK);
        Wire other = Wire.answering(OK);
        Deliveries deliveries =
            new Deliveries(
                PUBLIC_ONLY.withAllow("merchant.internal:" + wire.port()),
                _ -> addresses("127.0.0.1"))) {
      assertThat(deliveries.deliver("http://Merchant.internal:" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
      assertThat(reason(deliveries.deliver("http://merchant.internal:" + other.port() + "/")))
          .isEqualTo("address_refused");
      assertThat(other.connections()).isZero();
    }
  }

  @Test
  void it_is_not_told_whether_a_name_without_a_dot_exists() {
    try (Deliveries there = new Deliveries(PUBLIC_ONLY, _ -> addresses("10.0.0.7"));
        Deliveries elsewhere = new Deliveries(PUBLIC_ONLY, AddressGuardTest::onlyPostgres)) {
      Outcome existing = there.deliver("http://mysql:5432/");
      Outcome missing = elsewhere.deliver("http://mysql:5432/");

      assertThat(reason(missing)).isEqualTo("address_refused");
      assertThat(missing).isEqualTo(existing);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://127.0.0.1:3000 | 127.0.0.1 is not a public address | 127.0.0.1:3000
          http://10.1.2.3 | 10.1.2.3 is not a public address | 10.1.2.3:80
          https://10.1.2.3 | 10.1.2.3 is not a public address | 10.1.2.3:443
          http://[::1]:3000 | 0:0:0:0:0:0:0:1 is not a public address | [0:0:0:0:0:0:0:1]:3000
          http://localhost:3000 | localhost is not known to be a public address | localhost:3000
          http://Shop.example | shop.example is not known to be a public address | shop.example:80
          http://8.8.8.8:25 | port 25 belongs to another service | 8.8.8.8:25
          http://shop.example:25 | port 25 belongs to another service | shop.example:25
          """)
  void what_is_told_of_a_refusal_names_the_setting_and_the_value_that_would_allow_it(
      String url, String reason, String entry) {
    try (Deliveries deliveries = new Deliveries(PUBLIC_ONLY, _ -> addresses("127.0.0.1"));
        Deliveries allowing =
            new Deliveries(PUBLIC_ONLY.withAllow(entry), _ -> addresses("127.0.0.1"))) {
      Outcome refused = deliveries.deliver(url);

      assertThat(reason(refused)).isEqualTo("address_refused");
      assertThat(failure(refused).message())
          .startsWith(reason)
          .endsWith("; to allow it, add " + entry + " to EBB_DELIVERY_ALLOW");
      if (!url.contains("8.8.8.8") && !url.contains("10.1.2.3")) {
        assertThat(reason(allowing.deliver(url))).isNotEqualTo("address_refused");
      }
    }
  }

  @Test
  void what_no_setting_allows_is_told_so() {
    try (Deliveries deliveries = new Deliveries(PUBLIC_ONLY)) {
      Outcome refused = deliveries.deliver("http://169.254.169.254/latest/meta-data");

      assertThat(failure(refused).message())
          .isEqualTo(
              "169.254.169.254 is link-local or a metadata service, which no setting allows");
    }
  }

  @Test
  void a_listed_name_that_is_missing_for_a_while_is_tried_again() {
    HttpHandlerConfig config = PUBLIC_ONLY.withAllow("Merchant:8090");
    try (Deliveries deliveries = new Deliveries(config, AddressGuardTest::onlyPostgres)) {
      Outcome outcome = deliveries.deliver("http://merchant:8090/");

      assertThat(outcome).isInstanceOf(Outcome.Failed.class);
      assertThat(reason(outcome)).isEqualTo("dns_failed");
    }
  }

  private static InetAddress[] onlyPostgres(String host) throws UnknownHostException {
    if (host.equals("postgres")) {
      return addresses("10.0.0.7");
    }
    throw new UnknownHostException(host);
  }

  @Test
  void what_is_told_of_a_refusal_holds_no_address() {
    try (Deliveries deliveries = new Deliveries(PUBLIC_ONLY, _ -> addresses("10.11.12.13"))) {
      Outcome outcome = deliveries.deliver("http://merchant.example/");

      assertThat(failure(outcome).message()).doesNotContain("10.11");
      assertThat(deliveries.recordText()).contains("address_refused").doesNotContain("10.11");
    }
  }

  @Test
  void what_is_told_of_a_refused_connection_holds_no_address() {
    try (Deliveries deliveries =
        new Deliveries(PUBLIC_ONLY.withAllow("127.0.0.9"), _ -> addresses("127.0.0.9"))) {
      Outcome outcome = deliveries.deliver("http://merchant.example:" + Wire.deadPort() + "/");

      assertThat(reason(outcome)).isEqualTo("connection_refused");
      assertThat(failure(outcome).message()).doesNotContain("127.0");
      assertThat(deliveries.recordText()).doesNotContain("127.0");
    }
  }

  @Test
  void a_proxy_that_the_system_properties_name_is_not_used() throws Exception {
    try (Wire wire = Wire.answering(OK);
        Wire proxy = Wire.answering(OK);
        Deliveries deliveries = new Deliveries()) {
      System.setProperty("http.proxyHost", "127.0.0.1");
      System.setProperty("http.proxyPort", String.valueOf(proxy.port()));
      System.setProperty("http.nonProxyHosts", "");
      try {
        assertThat(deliveries.run(payload(wire.url()), LONG)).isEqualTo(Outcome.completed());
      } finally {
        System.clearProperty("http.proxyHost");
        System.clearProperty("http.proxyPort");
        System.clearProperty("http.nonProxyHosts");
      }
      assertThat(proxy.connections()).isZero();
    }
  }

  private static InetAddress[] addresses(String... literals) {
    InetAddress[] addresses = new InetAddress[literals.length];
    for (int i = 0; i < literals.length; i++) {
      addresses[i] = InetAddress.ofLiteral(literals[i]);
    }
    return addresses;
  }
}
