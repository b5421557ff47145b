package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.failure;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Outcome;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryProxyTest {
  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

  @Test
  void a_delivery_goes_to_the_checked_address_under_the_name_of_its_url() throws Exception {
    try (Wire merchant = Wire.answering(OK);
        LittleProxy proxy = new LittleProxy();
        Deliveries deliveries = through(proxy.url(), "127.0.0.1")) {
      String url = "http://shop.example:" + merchant.port() + "/hook";

      assertThat(deliveries.deliver(url)).isEqualTo(Outcome.completed());
      assertThat(deliveries.deliver(url)).isEqualTo(Outcome.completed());

      assertThat(proxy.asked)
          .as("one tunnel, kept for the second delivery")
          .containsExactly(
              "CONNECT 127.0.0.1:%1$s HTTP/1.1\r\nHost: 127.0.0.1:%1$s\r\n\r\n"
                  .formatted(merchant.port()));
      assertThat(merchant.connections()).isOne();
      assertThat(merchant.requests)
          .hasSize(2)
          .allMatch(request -> request.startsWith("POST /hook HTTP/1.1\r\n"))
          .allMatch(request -> request.contains("shop.example:" + merchant.port()))
          .noneMatch(request -> request.contains("Proxy"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "169.254.169.254", "127.0.0.1"})
  void the_guard_decides_before_the_proxy_is_asked(String address) throws Exception {
    HttpHandlerConfig config = HttpHandlerConfig.defaults();
    try (LittleProxy proxy = new LittleProxy();
        Deliveries deliveries =
            new Deliveries(
                config.withProxy(DeliveryProxy.of(proxy.url())),
                _ -> new InetAddress[] {InetAddress.ofLiteral(address)})) {
      assertThat(reason(deliveries.deliver("http://shop.example/"))).isEqualTo("address_refused");
      assertThat(proxy.connections()).isZero();
    }
  }

  @Test
  void a_proxy_that_is_down_is_told_from_a_destination_that_is_down() throws Exception {
    try (LittleProxy proxy = new LittleProxy();
        Deliveries lost = through("http://127.0.0.1:" + Wire.deadPort(), "127.0.0.1");
        Deliveries nameless = through("http://proxy.invalid:3128", "127.0.0.1");
        Deliveries deliveries = through(proxy.url(), "127.0.0.1")) {
      for (Deliveries down : new Deliveries[] {lost, nameless}) {
        assertThat(reason(down.deliver("http://shop.example/"))).isEqualTo("proxy_unreachable");
      }
      assertThat(reason(deliveries.deliver("http://shop.example:" + Wire.deadPort() + "/")))
          .as("the little proxy just closes")
          .isEqualTo("proxy_refused");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 403 Forbidden,it answered 403",
    "HTTP/1.0 503 Service Unavailable,it answered 503",
    "HTTP/1.1 407 Who,it refused the user or password (407)",
    "HTTP/1.1 301 Moved,it answered 301",
    "SSH-2.0-OpenSSH,its response is not HTTP/1.1",
  })
  void a_proxy_that_opens_no_tunnel_is_told_by_its_answer(String line, String words)
      throws Exception {
    try (Wire refusing =
            new Wire((wire, socket) -> {
              wire.readRequest(socket);
              Wire.send(socket, line + "\r\nLocation: http://127.0.0.1/\r\n\r\n");
            });
        Deliveries deliveries = through("http://127.0.0.1:" + refusing.port(), "127.0.0.1")) {
      Outcome outcome = deliveries.deliver("http://shop.example/");

      assertThat(reason(outcome)).isEqualTo("proxy_refused");
      assertThat(failure(outcome).message()).endsWith(words);
      assertThat(refusing.connections()).isOne();
    }
  }

  @Test
  void a_proxy_that_keeps_silent_or_never_ends_costs_the_attempt_its_time_alone() throws Exception {
    try (Wire silent = new Wire((wire, socket) -> wire.readRequest(socket));
        Wire endless =
            new Wire((wire, socket) -> {
              wire.readRequest(socket);
              Wire.send(socket, "HTTP/1.1 200 OK\r\n");
              while (true) {
                Wire.send(socket, "a: b\r\n");
              }
            });
        Wire open =
            new Wire((wire, socket) -> {
              wire.readRequest(socket);
              socket.getInputStream().read();
            })) {
      assertThat(outcomeThrough(silent, Deliveries.LONG)).isEqualTo("proxy_refused");
      assertThat(outcomeThrough(endless, Deliveries.LONG)).isEqualTo("proxy_refused");
      assertThat(outcomeThrough(open, Duration.ofSeconds(2))).isEqualTo("timeout");
    }
  }

  private static String outcomeThrough(Wire proxy, Duration remaining) {
    try (Deliveries deliveries = through("http://127.0.0.1:" + proxy.port(), "127.0.0.1")) {
      return reason(deliveries.deliver("http://shop.example/", remaining));
    }
  }

  @Test
  void a_password_is_read_from_its_file_for_each_connection(@TempDir Path folder) throws Exception {
    try (Wire merchant = Wire.answering(OK);
        LittleProxy proxy = new LittleProxy("ebb:p%w")) {
      Path file = Files.writeString(folder.resolve("proxy"), "http://ebb:old@" + at(proxy) + "\n");
      HttpHandlerConfig config =
          HttpHandlerConfig.defaults()
              .withAllow("127.0.0.0/8")
              .withProxy(new DeliveryProxy(Files.readString(file).strip(), file));
      try (Deliveries deliveries = new Deliveries(config)) {
        assertThat(reason(deliveries.deliver(merchant.url()))).isEqualTo("proxy_refused");

        Files.delete(file);
        assertThat(reason(deliveries.deliver(merchant.url()))).isEqualTo("proxy_unreachable");

        Files.writeString(file, "http://ebb:p%25w@" + at(proxy) + "\n");
        assertThat(deliveries.deliver(merchant.url())).isEqualTo(Outcome.completed());
      }
    }
  }

  private static String at(LittleProxy proxy) {
    return "127.0.0.1:" + proxy.port();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy:3128",
        "http://proxy",
        "https://proxy:3128",
        "socks5://proxy:1080",
        "http://proxy:3128/path",
        "http://proxy:3128?q",
        "http://proxy:0",
        "http://proxy:65536",
        "http://user@proxy:3128",
        "http:proxy:3128",
        "http://pro xy:3128"
      })
  void a_url_that_is_none_of_a_proxy_is_refused_without_being_repeated(String url) {
    assertThatThrownBy(() -> DeliveryProxy.of(url))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("proxy must be http://host:port")
        .hasMessageNotContaining("3128");
  }

  @Test
  void a_proxy_is_shown_without_its_password() {
    HttpHandlerConfig config =
        HttpHandlerConfig.defaults().withProxy(DeliveryProxy.of("http://ebb:hush@[::1]:3128/"));

    assertThat(config.toString()).contains("http://[::1]:3128").doesNotContain("hush", "ebb:");
  }

  private static Deliveries through(String proxy, String address) {
    return new Deliveries(
        HttpHandlerConfig.defaults().withAllow("127.0.0.0/8").withProxy(DeliveryProxy.of(proxy)),
        _ -> new InetAddress[] {InetAddress.ofLiteral(address)});
  }
}
