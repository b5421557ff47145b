package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One request, before a server that sends half of its answer unless it is released. */
class TransportTest {
  private static final byte[] BODY = "{\"half\":\"rest\"}".getBytes(StandardCharsets.UTF_8);

  private final CountDownLatch half = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, BODY.length);
          exchange.getResponseBody().write(BODY, 0, 7);
          exchange.getResponseBody().flush();
          half.countDown();
          await(release);
          exchange.getResponseBody().write(BODY, 7, BODY.length - 7);
          exchange.close();
        });
    server.start();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
    server.stop(0);
  }

  private Answer post(Duration timeout) throws IOException, InterruptedException {
    return post(Patience.of(timeout));
  }

  private Answer post(Patience patience) throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    Transport transport = new Transport(HttpClient.newHttpClient(), address, null);
    return transport.post("/v1/leases", "{}", patience, Map.of());
  }

  @Test
  void an_answer_is_read_whole() throws Exception {
    release.countDown();

    String half = post(Duration.ofMinutes(1)).read(json -> json.at("half").string());

    assertThat(half).isEqualTo("rest");
  }

  @Test
  void an_answer_is_read_though_the_common_pool_is_busy() throws Exception {
    release.countDown();
    CountDownLatch busy = new CountDownLatch(1);
    for (int i = 0; i < 64; i++) {
      ForkJoinPool.commonPool().execute(() -> await(busy));
    }

    try {
      assertThat(post(Duration.ofSeconds(20)).status()).isEqualTo(200);
    } finally {
      busy.countDown();
    }
  }

  @Test
  void an_answer_that_stalls_in_its_body_is_lost_after_the_timeout() {
    assertThatThrownBy(() -> post(Duration.ofSeconds(1)))
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessageContaining("rest of an answer");
  }

  @Test
  void the_rest_of_an_answer_may_have_less_time_than_the_whole() {
    Patience patience = new Patience(Duration.ofMinutes(1), Duration.ofMillis(100));

    assertThatThrownBy(() -> post(patience)).hasMessageContaining("PT0.1S");
  }

  @Test
  void who_waits_for_an_answer_can_be_interrupted() throws Exception {
    Thread waits = Thread.currentThread();
    threads.execute(() -> {
      try {
        half.await();
        waits.interrupt();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });

    assertThatThrownBy(() -> post(Duration.ofMinutes(1))).isInstanceOf(InterruptedException.class);
  }

  @Test
  void a_server_that_is_away_is_told_apart() {
    server.stop(0);

    assertThatThrownBy(() -> post(Duration.ofMinutes(1))).isInstanceOf(ConnectException.class);
  }
}
