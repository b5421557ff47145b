package dev.ebb.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.signing.KeyShare;
import dev.ebb.core.signing.SignerNames;
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
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A key of a layout with room for one signature, which takes over a growing share of the deliveries
 * while these go on. Every delivery is refused once, so that each job has two attempts at least.
 */
class StagedRotationTest {
  private static final String QUEUE = "acme";
  private static final int JOBS = 300;

  private final KeyPair older = pair();
  private final KeyPair newer = pair();

  /** With which serial each job's deliveries came, in their order. */
  private final Map<String, List<String>> serials = new ConcurrentHashMap<>();

  private final AtomicInteger forged = new AtomicInteger();

  /** Whether receivers were given the new public key before the rotation. */
  private volatile boolean hasNewer = true;

  private static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A receiver finds the right one of its public keys by its serial. */
  private boolean isGenuine(Headers headers, String body) {
    String serial = header(headers, "Acmepay-Serial");
    if (serial.equals("NEW") && !hasNewer) {
      return false;
    }
    KeyPair pair = serial.equals("OLD") ? older : newer;
    try {
      Signature verifier = Signature.getInstance("SHA256withRSA");
      verifier.initVerify(pair.getPublic());
      verifier.update(
          (header(headers, "Acmepay-Timestamp")
                  + "\n"
                  + header(headers, "Acmepay-Nonce")
                  + "\n"
                  + body
                  + "\n")
              .getBytes(UTF_8));
      return verifier.verify(Base64.getDecoder().decode(header(headers, "Acmepay-Signature")));
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private static String header(Headers headers, String name) {
    return Objects.requireNonNull(headers.getFirst(name), name);
  }

  private HttpServer receiver() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          Headers headers = exchange.getRequestHeaders();
          if (!isGenuine(headers, body)) {
            forged.incrementAndGet();
          }
          List<String> seen =
              serials.computeIfAbsent(
                  header(headers, "ebb-job"), _ -> Collections.synchronizedList(new ArrayList<>()));
          seen.add(header(headers, "Acmepay-Serial"));
          exchange.sendResponseHeaders(seen.size() == 1 ? 503 : 204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static SigningKey key(String serial, KeyPair pair) {
    String id = "key_" + serial;
    byte[] secret = pair.getPrivate().getEncoded();
    return new SigningKey(
        id,
        SigningScheme.WECHATPAY,
        TestSecrets.seal(secret, SigningKey.context(QUEUE, id)),
        null,
        Instant.EPOCH,
        null,
        new SignerNames(serial, "Acmepay", null),
        null);
  }

  private List<String> of(String job) {
    return Objects.requireNonNull(serials.get(job), job);
  }

  /** What a test does while a node delivers to the receiver. */
  @FunctionalInterface
  private interface Rotation {
    void run(WorkerBench bench, Queues queues) throws Exception;
  }

  private void delivering(List<SigningKey> keys, Rotation rotation) throws Exception {
    HttpServer receiver = receiver();
    String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
    Destination destination =
        new Destination(URI.create(url), null, Map.of(), ResponseRules.DEFAULT, null, Map.of())
            .with(WorkerBench.NO_CIRCUIT);
    try (WorkerBench bench = new WorkerBench();
        HttpHandler handler =
            new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"), TestSecrets.BOX)) {
      Queues queues = new Queues(bench.database);
      QueueSettings settings = QueueSettings.of(false, WorkerBench.QUICK).to(destination);
      var _ = queues.putDestination(QUEUE, settings, Bench.ACT, _ -> {});
      var _ = queues.changeKeys(QUEUE, _ -> keys, Bench.ACT);
      try (Worker _ =
          Worker.start(
              bench.database,
              WorkerBench.settings(),
              Map.of("http", handler),
              new SimpleMeterRegistry())) {
        rotation.run(bench, queues);
      }
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void each_delivery_is_signed_by_the_key_that_it_names_and_a_job_changes_over_once_at_most()
      throws Exception {
    SigningKey old = key("OLD", older);
    SigningKey young = key("NEW", newer);
    delivering(
        List.of(old),
        (bench, queues) -> {
          var _ = bench.deliveries(QUEUE, JOBS);
          Await.until("some have been delivered", () -> serials.size() > JOBS / 10);
          share(queues, young, 30, old);
          Set<String> during = bench.deliveries(QUEUE, JOBS);
          Await.until("each has been tried", () -> serials.size() == 2 * JOBS);
          // Retries come behind the others: without this, all would come at the whole share.
          Await.until(
              "half have been tried again at the same share",
              () -> during.stream().filter(job -> of(job).size() > 1).count() >= JOBS / 2);
          long byNew = during.stream().filter(job -> of(job).getFirst().equals("NEW")).count();
          share(queues, young, 100, old);
          Set<String> after = bench.deliveries(QUEUE, JOBS);

          Await.until("all have been delivered", () -> bench.count("ebb.history") == 3 * JOBS);
          assertThat(forged).as("deliveries that a receiver with both keys refuses").hasValue(0);
          assertThat(serials.values())
              .as("a job that has come to the new key stays with it")
              .allSatisfy(seen ->
                  assertThat(seen.subList(Math.max(0, seen.indexOf("NEW")), seen.size()))
                      .hasSizeGreaterThan(0)
                      .containsOnly(seen.contains("NEW") ? "NEW" : "OLD"));
          assertThat(after.stream().map(this::of)).allMatch(seen -> !seen.contains("OLD"));
          assertThat(100.0 * byNew / JOBS).isCloseTo(30, within(15.0));
        });
  }

  @Test
  void control_a_receiver_that_was_not_given_the_new_key_refuses_its_share() throws Exception {
    hasNewer = false;
    delivering(
        shared(key("NEW", newer), 30, key("OLD", older)),
        (bench, _) -> {
          var _ = bench.deliveries(QUEUE, JOBS);
          Await.until("all have been delivered", () -> bench.count("ebb.history") == JOBS);
        });
    long byNew = serials.values().stream().flatMap(List::stream).filter("NEW"::equals).count();
    assertThat(byNew).isPositive();
    assertThat(forged).hasValue((int) byNew);
  }

  private static void share(Queues queues, SigningKey young, int percent, SigningKey old)
      throws SQLException {
    var _ = queues.changeKeys(QUEUE, _ -> shared(young, percent, old), Bench.ACT);
  }

  private static List<SigningKey> shared(SigningKey young, int percent, SigningKey old) {
    KeyShare share = new KeyShare(percent, Instant.now(), null);
    SigningKey ending = percent == 100 ? old.until(Instant.now().plus(Duration.ofHours(1))) : old;
    return List.of(young.with(share), ending);
  }
}
