package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.failure;
import static dev.ebb.worker.http.Deliveries.payload;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One deadline, whatever the other side does; and an interrupt ends it sooner. */
class DeadlineTest {
  private static final Duration SHORT = Duration.ofMillis(600);

  /** For a connection: a minute. */
  private static final int MOST_TRIES = 20;

  /** For what comes at once, and without which nothing would come for minutes. */
  private static final Duration AMPLE = Duration.ofSeconds(60);

  private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-length: 50000\r\n\r\n";

  private final Deliveries deliveries = new Deliveries();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void close() {
    over.countDown();
    deliveries.close();
  }

  @Test
  void a_server_that_never_answers() throws Exception {
    try (Wire wire = new Wire((w, socket) -> over.await())) {
      endsInTime(wire.url(), wire);
    }
  }

  @Test
  void a_server_that_drips_its_body() throws Exception {
    try (Wire wire = new Wire((w, socket) -> drip(w, socket, HEAD, "a"))) {
      isConfirmedInTime(wire);

      var response = deliveries.record().path("response");
      assertThat(response.path("status").intValue()).isEqualTo(200);
      assertThat(response.path("body").stringValue()).startsWith("a");
      assertThat(response.path("bodyCut").booleanValue()).isTrue();
    }
  }

  @Test
  void a_server_that_drips_its_headers() throws Exception {
    try (Wire wire = new Wire((w, socket) -> drip(w, socket, "HTTP/1.1 200 OK\r\nx-a: ", "a"))) {
      endsInTime(wire.url(), wire);
    }
  }

  @Test
  void a_server_that_drips_interim_answers() throws Exception {
    try (Wire wire =
        new Wire((w, socket) -> drip(w, socket, "", "HTTP/1.1 100 Continue\r\n\r\n"))) {
      endsInTime(wire.url(), wire);
    }
  }

  @Test
  void a_server_that_drips_chunks() throws Exception {
    String head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    try (Wire wire = new Wire((w, socket) -> drip(w, socket, head, "1\r\na\r\n"))) {
      isConfirmedInTime(wire);
    }
  }

  @Test
  void a_server_that_never_shakes_hands() throws Exception {
    try (Wire wire = new Wire((w, socket) -> over.await())) {
      endsInTime("https://127.0.0.1:" + wire.port() + "/", wire);
    }
  }

  @Test
  void a_server_that_never_reads_a_large_body() throws Exception {
    ServerSocket narrow = new ServerSocket();
    narrow.setReceiveBufferSize(1024);
    narrow.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    try (Wire wire = new Wire(narrow, (w, socket) -> over.await())) {
      String payload =
          "{\"url\":\"" + wire.url() + "\",\"body\":\"" + "a".repeat(5_000_000) + "\"}";
      assertThat(reason(timed(() -> deliveries.run(payload, SHORT)))).isEqualTo("timeout");
    }
  }

  @Test
  void a_host_that_takes_no_connection() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> queued = fill(full);
      String url = "http://127.0.0.1:" + full.getLocalPort() + "/";

      assertThat(reason(timed(() -> deliveries.deliver(url, SHORT)))).isEqualTo("timeout");
      for (Socket socket : queued) {
        socket.close();
      }
    }
  }

  @Test
  void a_name_that_takes_for_ever_to_look_up() throws Exception {
    HttpHandlerConfig config = HttpHandlerConfig.defaults();
    try (Deliveries slow = new Deliveries(config, _ -> stuck())) {
      assertThat(reason(timed(() -> slow.deliver("http://merchant.example/", SHORT))))
          .isEqualTo("timeout");
    }
  }

  @Test
  void no_time_left_is_a_timeout_at_once() throws Exception {
    try (Wire wire = new Wire((w, socket) -> over.await())) {
      assertThat(reason(timed(() -> deliveries.deliver(wire.url(), Duration.ZERO))))
          .isEqualTo("timeout");
    }
  }

  @Test
  void the_status_is_known_before_the_deadline_whatever_is_endless_behind_it() throws Exception {
    for (String drop : new String[] {"x-a: b\r\n", "x".repeat(1000)}) {
      try (Wire wire = new Wire((w, socket) -> flood(w, socket, "HTTP/1.1 200 OK\r\n", drop))) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      }
      try (Wire wire = new Wire((w, socket) -> flood(w, socket, "HTTP/1.1 500 No\r\n", drop))) {
        assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("http_500");
      }
    }
  }

  @Test
  void endless_bytes_without_a_status_end_the_exchange_before_the_deadline() throws Exception {
    for (String drop :
        new String[] {"x".repeat(1000), "\r\n", "HTTP/1.1 103 Early\r\nx: y\r\n\r\n"}) {
      try (Wire wire = new Wire((w, socket) -> flood(w, socket, "", drop))) {
        assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("bad_response");
      }
    }
  }

  @Test
  void an_interrupt_aborts_the_exchange_and_surfaces() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch hungUp = new CountDownLatch(1);
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          arrived.countDown();
          if (hangsUp(socket)) {
            hungUp.countDown();
          }
        })) {
      FakeContext context = new FakeContext(payload(wire.url()), 1, Duration.ofMinutes(5));
      AtomicReference<Object> end = new AtomicReference<>();
      Thread attempt = Thread.ofVirtual().start(() -> end.set(endOf(context)));
      assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
      attempt.interrupt();

      assertThat(attempt.join(AMPLE)).as("ends at once").isTrue();
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
      assertThat(hungUp.await(60, TimeUnit.SECONDS)).as("the connection is closed").isTrue();
      assertThat(context.record().path("error").path("reason").stringValue())
          .isEqualTo("interrupted");
      assertThat(context.record().path("request").path("url").stringValue()).isEqualTo(wire.url());
    }
  }

  @Test
  void an_interrupt_reaches_a_look_up_that_cannot_be_interrupted() throws Exception {
    try (Deliveries slow = new Deliveries(HttpHandlerConfig.defaults(), _ -> stuck())) {
      AtomicReference<Object> end = new AtomicReference<>();
      FakeContext context =
          new FakeContext(payload("http://merchant.example/"), 1, Duration.ofMinutes(5));
      Thread attempt =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  end.set(slow.handler.run(context));
                } catch (InterruptedException interrupted) {
                  end.set(interrupted);
                }
              });
      attempt.interrupt();

      assertThat(attempt.join(AMPLE)).isTrue();
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }
  }

  private Object endOf(FakeContext context) {
    try {
      return deliveries.handler.run(context);
    } catch (InterruptedException interrupted) {
      return interrupted;
    }
  }

  private void endsInTime(String url, Wire wire) throws Exception {
    Outcome outcome = timed(() -> deliveries.deliver(url, SHORT));
    // On a busy machine the deadline may come before the connection.
    for (int tries = 1; wire.sockets().isEmpty() && tries < MOST_TRIES; tries++) {
      outcome = timed(() -> deliveries.deliver(url, SHORT.multipliedBy(5)));
    }

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(reason(outcome)).isEqualTo("timeout");
    assertThat(failure(outcome).message()).contains("within the attempt's timeout");
    assertThat(hangsUp(wire.sockets().getFirst())).as("the connection is closed").isTrue();
  }

  private void isConfirmedInTime(Wire wire) throws Exception {
    Outcome outcome = deliveries.deliver(wire.url(), Duration.ofSeconds(3));
    // On a busy machine the deadline may come before the answer begins.
    for (int tries = 1; outcome instanceof Outcome.Failed && tries < 5; tries++) {
      outcome = deliveries.deliver(wire.url(), Duration.ofSeconds(3));
    }

    assertThat(outcome).isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).containsExactly("body_timeout");
    assertThat(hangsUp(wire.sockets().getFirst())).as("the connection is closed").isTrue();
  }

  /** Far below what any phase would take by itself, with room for a busy machine. */
  private static Outcome timed(Callable<Outcome> delivery) throws Exception {
    return Judged.within(
        Duration.ofSeconds(5),
        "a delivery ends at its deadline",
        TestPostgres.shared().config("postgres"),
        delivery);
  }

  private static boolean hangsUp(Socket socket) {
    try {
      socket.setSoTimeout(Math.toIntExact(AMPLE.toMillis()));
      byte[] rest = new byte[8192];
      while (socket.getInputStream().read(rest) >= 0) {
        // What the client had sent before.
      }
      return true;
    } catch (java.net.SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  private void drip(Wire wire, Socket socket, String head, String drop) throws Exception {
    wire.readRequest(socket);
    Wire.send(socket, head);
    do {
      Wire.send(socket, drop);
    } while (!over.await(50, TimeUnit.MILLISECONDS));
  }

  private static void flood(Wire wire, Socket socket, String first, String line) throws Exception {
    wire.readRequest(socket);
    Wire.send(socket, first);
    while (true) {
      Wire.send(socket, line);
    }
  }

  private InetAddress[] stuck() {
    while (true) {
      try {
        over.await();
        return new InetAddress[0];
      } catch (InterruptedException _) {
        // Like the operating system's resolver, which knows no interrupts.
      }
    }
  }

  /** Connects until the backlog is full, so that the next one is not even refused. */
  private static List<Socket> fill(ServerSocket server) throws IOException {
    List<Socket> queued = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = new Socket();
      queued.add(socket);
      try {
        socket.connect(server.getLocalSocketAddress(), 100);
      } catch (java.net.SocketTimeoutException _) {
        return queued;
      }
    }
    throw new AssertionError("the backlog does not fill");
  }
}
