package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections are held by requests, not by heads that never end. */
class SlowHeadsTest {
  private static final int CONNECTIONS = 8;
  private static final String HEAD = "GET /livez HTTP/1.1¶Host: localhost¶X: ";
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<Sender> senders = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Sender sender : senders) {
      sender.close();
    }
  }

  private static ApiServer api(Duration headTime) {
    ApiConfig.Limits limits = ApiConfig.Limits.defaults().withConnections(CONNECTIONS, headTime);
    return ApiServer.with(ApiConfig.of("127.0.0.1", 0).withHealthPort(0).withLimits(limits));
  }

  private Sender from(String address, int port) throws IOException {
    Sender sender = Sender.from(address, port);
    senders.add(sender);
    return sender;
  }

  /** A head that never ends: what it began with, and what comes bit by bit. */
  private record Drip(Sender sender, String more) {
    /** Sends a bit, and answers whether the other side has had enough. */
    boolean isEnough() {
      try {
        sender.send(more);
        return sender.isClosedWithin(PAUSE);
      } catch (IOException closed) {
        return true;
      }
    }
  }

  @Test
  void a_head_that_drips_ends_its_connection_within_the_time_for_heads() throws Exception {
    try (ApiServer api = api(Duration.ofSeconds(2))) {
      List<Drip> drips = new ArrayList<>();
      for (int port : new int[] {api.port(), api.healthPort()}) {
        drips.add(new Drip(from("127.0.0.1", port).send(HEAD), "x"));
        drips.add(new Drip(from("127.0.0.1", port).send("G"), "E"));
        drips.add(new Drip(from("127.0.0.1", port).send("¶"), "¶"));
        Sender again = from("127.0.0.1", port).send("GET /livez HTTP/1.1¶Host: localhost¶¶" + HEAD);
        again.readAnswer();
        drips.add(new Drip(again, "x"));
      }

      Await.until(
          "all connections are closed",
          () -> {
            drips.removeIf(Drip::isEnough);
            return drips.isEmpty();
          });
    }
  }

  @Test
  void a_connection_that_is_used_again_has_the_time_for_each_head_anew() throws IOException {
    Duration headTime = Duration.ofSeconds(3);
    try (ApiServer api = api(headTime)) {
      Sender sender = from("127.0.0.1", api.port());
      long start = System.nanoTime();
      while (System.nanoTime() - start < headTime.toNanos() * 4 / 3) {
        sender.send("GET /v1/policies HTTP/1.1¶Host: loc");
        assertThat(sender.isClosedWithin(PAUSE)).isFalse();
        sender.send("alhost¶¶").readAnswer();
      }
    }
  }

  @Test
  void one_address_has_at_most_half_of_the_connections() throws Exception {
    try (ApiServer api = api(MINUTE)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        from("127.0.0.1", api.port());
      }
      Await.until("half of them are closed", () -> closed() == CONNECTIONS / 2);

      assertThat(from("127.0.0.2", api.port()).get("/v1/policies")).startsWith("HTTP/1.1 200 ");
      assertThat(closed()).isEqualTo(CONNECTIONS / 2 + 1);
    }
  }

  private long closed() throws IOException {
    long closed = 0;
    for (Sender sender : senders) {
      closed += sender.isClosedWithin(PAUSE) ? 1 : 0;
    }
    return closed;
  }

  @Test
  void what_a_connection_took_of_the_share_of_its_address_is_given_back() throws Exception {
    try (ApiServer api = api(MINUTE)) {
      for (int i = 0; i < 5 * CONNECTIONS; i++) {
        try (Sender sender = Sender.from("127.0.0.1", api.port())) {
          sender.send(new String[] {HEAD, "", "nonsense¶¶"}[i % 3]);
        }
      }
      Await.until("half of the connections are free", () -> servesHalf(api));
    }
  }

  /** Whether one address is served on half of the connections, all open at once. */
  private static boolean servesHalf(ApiServer api) throws IOException {
    List<Sender> half = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS / 2; i++) {
        half.add(Sender.from("127.0.0.1", api.port()));
      }
      for (Sender sender : half) {
        sender.send("GET /v1/policies HTTP/1.1¶Host: localhost¶¶").readAnswer();
      }
      return true;
    } catch (IOException refused) {
      return false;
    } finally {
      for (Sender sender : half) {
        sender.close();
      }
    }
  }

  @Test
  void an_api_whose_connections_are_all_taken_is_still_alive_on_its_health_port()
      throws IOException {
    try (ApiServer api = api(MINUTE)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        from("127.0.0." + (1 + i % 2), api.port()).send(HEAD);
      }
      assertThat(closed()).isZero();

      for (String path : new String[] {"/livez", "/readyz", "/metrics"}) {
        assertThat(from("127.0.0.1", api.healthPort()).get(path)).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @Test
  void a_health_port_answers_probes_and_metrics_alone_and_no_other_port_does() throws IOException {
    try (ApiServer api = api(MINUTE)) {
      for (String path : new String[] {"/livez", "/readyz", "/metrics"}) {
        assertThat(api.get(path).status()).as(path).isEqualTo(404);
      }
      for (String path : new String[] {"/v1/jobs", "/v1/openapi.json", "/v1/policies"}) {
        assertThat(api.get(path).status()).as(path).isEqualTo(200);
        assertThat(from("127.0.0.1", api.healthPort()).get(path)).startsWith("HTTP/1.1 404 ");
      }
    }
  }
}
