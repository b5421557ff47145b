package dev.ebb.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A signing key that is rotated while deliveries go on. */
class RotationTest {
  private static final String QUEUE = "acme";
  private static final int JOBS = 1_000;
  private static final byte[] OLD = "the old secret, of thirty bytes".getBytes(UTF_8);
  private static final byte[] NEW = "the new secret, of thirty bytes".getBytes(UTF_8);

  /** The jobs whose deliveries a receiver with that secret took for genuine. */
  private final Set<String> byOld = ConcurrentHashMap.newKeySet();

  private final Set<String> byNew = ConcurrentHashMap.newKeySet();

  private HttpServer receiver() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          Map<String, List<String>> headers = exchange.getRequestHeaders();
          String job = exchange.getRequestHeaders().getFirst("ebb-job");
          note(job, byOld, OLD, headers, body);
          note(job, byNew, NEW, headers, body);
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static void note(
      String job,
      Set<String> genuine,
      byte[] secret,
      Map<String, List<String>> headers,
      String body) {
    try {
      new Webhook(Base64.getEncoder().encodeToString(secret)).verify(body, headers);
      genuine.add(job);
    } catch (WebhookVerificationException _) {
      // It is none of those that this receiver takes.
    }
  }

  private static SigningKey key(String id, byte[] secret) {
    String sealed = TestSecrets.seal(secret, SigningKey.context(QUEUE, id));
    return new SigningKey(id, SigningScheme.V1, sealed, null, Instant.EPOCH, null);
  }

  @Test
  void receivers_with_the_old_key_take_every_delivery_and_those_with_the_new_all_that_follow()
      throws Exception {
    HttpServer receiver = receiver();
    String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
    Destination destination =
        new Destination(URI.create(url), null, Map.of(), ResponseRules.DEFAULT, null, Map.of());
    try (WorkerBench bench = new WorkerBench();
        HttpHandler handler =
            new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"), TestSecrets.BOX)) {
      Queues queues = new Queues(bench.database);
      QueueSettings settings = QueueSettings.of(false, WorkerBench.QUICK).to(destination);
      var _ = queues.putDestination(QUEUE, settings, Bench.ACT, _ -> {});
      SigningKey old = key("key_old", OLD);
      var _ = queues.changeKeys(QUEUE, _ -> List.of(old), Bench.ACT);
      try (Worker _ =
          Worker.start(
              bench.database,
              WorkerBench.settings(),
              Map.of("http", handler),
              new SimpleMeterRegistry())) {
        Set<String> before = bench.deliveries(QUEUE, JOBS);
        Await.until("some have been delivered", () -> byOld.size() > JOBS / 10);

        SigningKey expiring = old.until(Instant.now().plus(Duration.ofHours(1)));
        var _ = queues.changeKeys(QUEUE, _ -> List.of(key("key_new", NEW), expiring), Bench.ACT);
        Set<String> after = bench.deliveries(QUEUE, JOBS);

        Await.until("all have been delivered", () -> bench.count("ebb.history") == 2 * JOBS);
        assertThat(byOld).containsAll(before).containsAll(after);
        assertThat(byNew).containsAll(after).isSubsetOf(byOld);
      }
    } finally {
      receiver.stop(0);
    }
  }
}
