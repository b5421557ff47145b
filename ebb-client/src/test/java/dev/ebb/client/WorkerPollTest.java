package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker before a server that fails its first poll in some way, and leases it a job after. */
class WorkerPollTest {
  private static final String LEASE =
      """
      {"lease":"7","queue":"q","expiresAt":"2026-01-01T00:00:00Z","length":"PT1H","jobs":[
      {"id":"00000000-0000-0000-0000-000000000007","kind":"paid","attempt":1,"maxAttempts":3,
      "priority":5,"payload":{},"labels":{},"runAt":"2026-01-01T00:00:00Z",
      "createdAt":"2026-01-01T00:00:00Z",
      "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}]}
      """;
  private static final String RENEWED =
      """
      {"renewed":[{"lease":"7","expiresAt":"2026-01-01T00:00:00Z"}],"lost":[],"cancel":[],
      "drain":false}
      """;

  private static final String SETTLED =
      """
      {"settled":[{"lease":"7","id":"00000000-0000-0000-0000-000000000007",
      "became":"completed"}],"refused":[],"locked":[]}
      """;

  private interface Failure {
    void answer(HttpExchange poll) throws IOException;
  }

  private final List<String> polls = new CopyOnWriteArrayList<>();
  private final CountDownLatch ran = new CountDownLatch(1);
  private final CountDownLatch renewed = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final List<String> settles = new CopyOnWriteArrayList<>();
  private final CountDownLatch settled = new CountDownLatch(1);
  private final AtomicInteger foreign = new AtomicInteger();
  private CountDownLatch end = over;
  private Failure failure = poll -> answer(poll, 502, "<html>");
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/leases", this::poll);
    server.createContext("/v1/leases/renew", this::renew);
    server.createContext("/v1/leases/settle", this::settle);
    server.createContext("/v1/leases/stop", request -> answer(request, 200, "{}"));
    server.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void poll(HttpExchange poll) throws IOException {
    polls.add(new String(poll.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    tokens.add(String.valueOf(poll.getRequestHeaders().getFirst("Authorization")));
    switch (polls.size()) {
      case 1 -> failure.answer(poll);
      case 2 -> answer(poll, 200, LEASE);
      default -> await(over);
    }
  }

  private void renew(HttpExchange renewal) throws IOException {
    if (refusals.getAndDecrement() > 0) {
      answer(renewal, 500, "");
      return;
    }
    answer(renewal, 200, RENEWED);
    renewed.countDown();
  }

  private void settle(HttpExchange settle) throws IOException {
    settles.add(new String(settle.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    if (foreign.getAndDecrement() > 0) {
      answer(settle, 404, "<html>");
      return;
    }
    answer(settle, 200, SETTLED);
    settled.countDown();
  }

  private static void answer(HttpExchange request, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    request.sendResponseHeaders(status, bytes.length);
    request.getResponseBody().write(bytes);
    request.close();
  }

  private void half(HttpExchange request) throws IOException {
    byte[] bytes = LEASE.getBytes(StandardCharsets.UTF_8);
    request.sendResponseHeaders(200, bytes.length);
    request.getResponseBody().write(bytes, 0, 20);
    request.getResponseBody().flush();
    await(over);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private EbbWorker worker(Duration lease) {
    return EbbHttp.at(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
        .token(() -> "token-" + asked.incrementAndGet() + "\n")
        .build()
        .worker("billing")
        .queues("q")
        .lease(lease)
        .grace(Duration.ZERO)
        .on(JobKind.json("paid"), this::run)
        .start();
  }

  private Outcome run(Run<String> run) throws InterruptedException {
    ran.countDown();
    end.await();
    return Outcome.completed(Map.of("note", "kept"));
  }

  /** A third of the lease is twenty minutes: nothing else renews it before. */
  @Test
  void a_lease_that_comes_after_a_failure_of_a_proxy_is_renewed_at_once() throws Exception {
    try (EbbWorker ignored = worker(Duration.ofHours(1))) {
      ran.await();

      assertThat(renewed.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(polls.get(1)).isEqualTo(polls.get(0));
      over.countDown();
    }
  }

  @Test
  void a_renewal_at_once_that_fails_is_not_left_to_the_next_turn() throws Exception {
    refusals.set(2);
    try (EbbWorker ignored = worker(Duration.ofHours(1))) {
      assertThat(renewed.await(30, TimeUnit.SECONDS)).isTrue();
      over.countDown();
    }
  }

  /** The server lets a poll wait for 20 s, and a lease of 5 s would be over by then. */
  @Test
  void a_lease_that_stalls_on_its_way_is_asked_for_again_while_it_lasts() throws Exception {
    failure = this::half;
    try (EbbWorker ignored = worker(Duration.ofSeconds(5))) {
      assertThat(ran.await(15, TimeUnit.SECONDS)).isTrue();
      assertThat(polls.get(1)).isEqualTo(polls.get(0));
      over.countDown();
    }
  }

  /** Its leases belong to the token. */
  @Test
  void a_worker_keeps_the_token_that_it_begins_with() throws Exception {
    try (EbbWorker ignored = worker(Duration.ofHours(1))) {
      ran.await();
      over.countDown();
    }

    assertThat(tokens).hasSizeGreaterThan(1).containsOnly("Bearer token-1");
  }

  @Test
  void a_result_that_a_proxy_refuses_for_a_while_is_told_whole() throws Exception {
    foreign.set(8);
    end = new CountDownLatch(0);
    try (EbbWorker ignored = worker(Duration.ofHours(1))) {
      assertThat(settled.await(30, TimeUnit.SECONDS)).isTrue();
      over.countDown();
    }

    assertThat(settles).hasSize(9).allSatisfy(sent -> assertThat(sent).contains("kept"));
  }
}
