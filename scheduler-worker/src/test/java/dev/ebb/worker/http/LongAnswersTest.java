package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.http.Verdict;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Sabotage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Answers that are as long as their sender likes, and what is kept of them. */
class LongAnswersTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String EMPTY = "content-length: 0\r\n\r\n";
  private static final String ENDLESS = "content-length: 50000\r\n\r\n";
  private static final String CHUNKED =
      OK + "transfer-encoding: chunked\r\n\r\n" + "2\r\nok\r\n" + "0\r\n";
  private static final int MAX_HEAD = 64 * 1024;
  private static final int MAX_LINE = 16 * 1024;
  private static final GuardedResolver ANY =
      new GuardedResolver((_, _, _) -> true, new Lookups(InetAddress::getAllByName));

  private final Deliveries deliveries = new Deliveries();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void close() {
    over.countDown();
    deliveries.close();
  }

  @Test
  void a_head_of_64_kib_is_read_and_of_a_longer_one_the_status_counts() throws Exception {
    assertThat(answered(head(MAX_HEAD, EMPTY))).isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).isEmpty();

    assertThat(answered(head(MAX_HEAD + 1, EMPTY))).isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).containsExactly("head_cut");
    JsonNode response = deliveries.record().path("response");
    assertThat(response.path("headersCut").booleanValue()).isTrue();
    assertThat(response.path("bodyCut").booleanValue()).isTrue();
  }

  @Test
  void a_line_of_16_kib_is_read_and_a_longer_one_is_cut() throws Exception {
    assertThat(answered(OK + line(MAX_LINE) + EMPTY)).isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).isEmpty();

    assertThat(answered(OK + line(20_000) + "x-last: 1\r\n" + EMPTY))
        .isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).containsExactly("line_cut");
    assertThat(deliveries.record().path("response").path("headers"))
        .map(header -> header.path("name").stringValue())
        .containsExactly("x", "x-last", "content-length");
  }

  @Test
  void a_reason_phrase_of_any_length_leaves_the_status_as_it_is() throws Exception {
    assertThat(answered("HTTP/1.1 200 " + "O".repeat(20_000) + "\r\n" + EMPTY))
        .isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).containsExactly("line_cut");
    assertThat(reason(answered("HTTP/1.1 500 " + "N".repeat(100_000) + "\r\n" + EMPTY)))
        .isEqualTo("http_500");
    assertThat(deliveries.faults()).containsExactly("head_cut", "line_cut");
  }

  @Test
  void thousands_of_headers_are_read_and_those_that_matter_are_found_behind_them()
      throws Exception {
    String many = "x: y\r\n".repeat(5_000);

    assertThat(answered("HTTP/1.1 503 No\r\n" + many + "retry-after: 9\r\n" + EMPTY))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            throttled -> assertThat(throttled.retryAfter()).isEqualTo(Duration.ofSeconds(9)));
    assertThat(deliveries.faults()).isEmpty();
    assertThat(deliveries.record().path("response").path("headersCut").booleanValue()).isTrue();
  }

  @Test
  void interim_answers_share_the_room_of_the_head() throws Exception {
    String interim = "HTTP/1.1 103 Early Hints\r\n" + line(13_000) + "\r\n";

    assertThat(answered(interim.repeat(5) + OK + EMPTY)).isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).isEmpty();
    assertThat(reason(answered(interim.repeat(6) + OK + EMPTY))).isEqualTo("bad_response");
  }

  @Test
  void every_answer_on_a_connection_has_that_room() throws Exception {
    try (Wire wire = Wire.answering(head(MAX_HEAD, EMPTY))) {
      int answers = 0;
      // On a busy machine a connection may have been idle for too long.
      do {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        answers++;
      } while (wire.connections() == answers && answers < 20);
      assertThat(wire.connections()).isLessThan(answers);
    }
  }

  @Test
  void what_follows_the_last_chunk_is_bounded_too() throws Exception {
    String folded = " " + line(99);

    assertThat(answered(CHUNKED + line(4096).repeat(4) + "\r\n")).isEqualTo(Outcome.completed());
    assertThat(deliveries.faults()).isEmpty();
    for (String trailers :
        List.of(line(100).repeat(5), line(100) + folded.repeat(50), line(5000))) {
      assertThat(answered(CHUNKED + trailers + "\r\n")).isEqualTo(Outcome.completed());
      assertThat(deliveries.faults()).containsExactly("body_malformed");
    }
  }

  @Test
  void of_a_long_body_the_beginning_is_kept_and_all_that_was_read_is_counted() throws Exception {
    try (Wire wire = Wire.answering(OK + "content-length: 60000\r\n\r\n" + "a".repeat(60_000));
        CloseableHttpClient client =
            DeliveryClient.build(
                ANY, DeliveryTls.context(null), HttpHandlerConfig.defaults(), "")) {
      Exchange exchange =
          new Exchange(client, new HttpUriRequestBase("GET", wire.uri()), false, null);
      exchange.run(Deliveries.LONG, _ -> new Verdict(Outcome.completed(), "any"));

      Response response = Objects.requireNonNull(exchange.response());
      assertThat(response.body().text()).hasSize(4 * 1024);
      assertThat(response.bodyBytes()).isEqualTo(60_000);
      assertThat(response.cut()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "deflate", "br", "gzip, gzip", "identity"})
  void a_body_that_unpacks_to_a_thousand_times_as_much_is_kept_packed(String coding)
      throws Exception {
    byte[] bomb = bomb();
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(
              socket,
              OK
                  + "content-encoding: "
                  + coding
                  + "\r\ncontent-length: "
                  + bomb.length
                  + "\r\n\r\n");
          Wire.send(socket, bomb);
        })) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(deliveries.record().path("response").path("body").stringValue())
          .isEqualTo(Base64.getEncoder().encodeToString(Arrays.copyOf(bomb, 4 * 1024)));
      assertThat(deliveries.record().path("response").path("bodyCut").booleanValue()).isTrue();
    }
  }

  /** Sixty mebibytes of zeros in sixty kibibytes. */
  private static byte[] bomb() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(packed)) {
      byte[] zeros = new byte[1024 * 1024];
      for (int mebibyte = 0; mebibyte < 60; mebibyte++) {
        zip.write(zeros);
      }
    }
    return packed.toByteArray();
  }

  @Test
  void hundreds_of_receivers_of_long_answers_do_not_end_a_small_process() throws Exception {
    try (Wire heads = new Wire((w, s) -> drip(w, s, OK + line(12_000).repeat(5), "a"));
        Wire lines = new Wire((w, s) -> drip(w, s, OK + "a:\r\n".repeat(16_000), "a"));
        Wire bodies = new Wire((w, s) -> drip(w, s, head(MAX_HEAD, ENDLESS), "a".repeat(8000)));
        Wire trailers = new Wire((w, s) -> drip(w, s, CHUNKED + line(4000).repeat(98), "a"))) {
      List<String> command =
          Sabotage.java(
              LongAnswersTest.class, heads.url(), lines.url(), bodies.url(), trailers.url());
      command.add(1, "-XX:+ExitOnOutOfMemoryError");
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor()).as(printed).isZero();
    }
  }

  /** Makes 500 deliveries at a time to each of the URLs. */
  public static void main(String[] urls) throws Exception {
    HttpHandlerConfig config =
        HttpHandlerConfig.defaults().withAllow("127.0.0.1").withConcurrency(1_000 * urls.length);
    try (Deliveries deliveries = new Deliveries(config)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 500 * urls.length; i++) {
        String url = urls[i % urls.length];
        FakeContext context = new FakeContext(Deliveries.payload(url), 1, Duration.ofSeconds(5));
        threads.add(Thread.ofVirtual().start(() -> deliveries.run(context)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private void drip(Wire wire, Socket socket, String first, String drop) throws Exception {
    wire.readRequest(socket);
    Wire.send(socket, first);
    do {
      Wire.send(socket, drop);
    } while (!over.await(500, TimeUnit.MILLISECONDS));
  }

  private Outcome answered(String answer) throws Exception {
    try (Wire wire = Wire.answering(answer)) {
      return deliveries.deliver(wire.url(), Duration.ofSeconds(10));
    }
  }

  /** A head of just so many bytes. */
  private static String head(int bytes, String end) {
    int left = bytes - OK.length() - end.length() - 4 * 16_000;
    return OK + line(16_000).repeat(4) + line(left) + end;
  }

  /** A header of just so many bytes. */
  private static String line(int bytes) {
    return "x: " + "v".repeat(bytes - 5) + "\r\n";
  }
}
