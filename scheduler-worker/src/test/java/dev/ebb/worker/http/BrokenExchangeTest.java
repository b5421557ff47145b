package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks has a reason of its own, and no answer breaks the handler or its record. */
class BrokenExchangeTest {
  private final Deliveries deliveries = new Deliveries();

  @AfterEach
  void close() {
    deliveries.close();
  }

  @Test
  void nobody_listens() {
    assertThat(reason(deliveries.deliver("http://127.0.0.1:" + Wire.deadPort() + "/")))
        .isEqualTo("connection_refused");
  }

  @Test
  void a_name_without_an_address() {
    try (Deliveries nameless =
        new Deliveries(
            HttpHandlerConfig.defaults(),
            host -> {
              throw new UnknownHostException(host);
            })) {
      assertThat(reason(nameless.deliver("http://merchant.example/"))).isEqualTo("dns_failed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nx: y"})
  void a_reset(String before) throws Exception {
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(socket, before);
          reset(socket);
        })) {
      Outcome outcome = deliveries.deliver(wire.url());

      assertThat(outcome).isInstanceOf(Outcome.Failed.class);
      assertThat(reason(outcome)).isEqualTo("connection_reset");
      assertThat(wire.requests).as("sent once").hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "connection_closed | ''",
        "connection_closed | HTTP",
        "connection_closed | HTTP/1.1 200 OK",
        "connection_closed | HTTP/1.1 200 OK~",
        "connection_closed | HTTP/1.1 200 OK~x: y",
        "connection_closed | HTTP/1.1 200 OK~content-length: 0~",
        "connection_closed | HTTP/1.1 103 Early Hints~~",
        "connection_closed | HTTP/1.1 103 Early Hints~~HTTP/1.1 200 OK~",
        "bad_response | SSH-2.0-OpenSSH_9.6~",
        "bad_response | 220 mail ESMTP~",
        "bad_response | HTTP/1.1 abc~~",
        "bad_response | HTTP/1.1 -20 OK~~",
        "bad_response | HTTP/1.1 000 x~~",
        "bad_response | HTTP/1.1 0 x~content-length: 0~~",
        "bad_response | HTTP/1.1 99999999999 x~~",
        "bad_response | HTTP/1.1~~",
        "bad_response | HTTP/1.1 20 OK~~",
        "bad_response | HTTP/1.1 2000 OK~~",
        "bad_response | HTTP/1.1 200OK~~",
        "bad_response | HTTP/x 200 OK~~",
        "bad_response | ICY 200 OK~~",
        "bad_response | 200 OK~~",
        "bad_response | ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
      })
  void half_an_answer_and_what_is_no_answer(String reason, String answer) throws Exception {
    try (Wire wire =
        once(answer.replace("~", "\r\n").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1))) {
      Outcome outcome = deliveries.deliver(wire.url(), Duration.ofSeconds(5));

      assertThat(outcome).isInstanceOf(Outcome.Failed.class);
      assertThat(reason(outcome)).isEqualTo(reason);
      assertThat(deliveries.record().path("error").path("reason").stringValue()).isEqualTo(reason);
    }
  }

  @Test
  void an_answer_that_ends_with_its_connection_is_whole() throws Exception {
    try (Wire wire =
        once(
            "HTTP/1.0 200 OK\r\n\r\nsuccess"
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII))) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(deliveries.record().path("response").path("body").stringValue())
          .isEqualTo("success");
    }
  }

  @Test
  void random_bytes_after_a_good_beginning_end_in_an_outcome_and_a_readable_record()
      throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    String[] beginnings = {
      "",
      "HTTP/1.1 ",
      "HTTP/1.1 200 OK\r\n",
      "HTTP/1.1 500 ",
      "HTTP/1.1 200 OK\r\ncontent-type: ",
      "HTTP/1.1 429 X\r\nretry-after: ",
      "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-16\r\n\r\n"
    };
    for (int run = 0; run < 300; run++) {
      byte[] answer = garbage(beginnings[run % beginnings.length], random);
      try (Wire wire = once(answer)) {
        Outcome outcome = deliveries.deliver(wire.url(), Duration.ofSeconds(10));

        assertThat(outcome)
            .isInstanceOfAny(
                Outcome.Completed.class, Outcome.Failed.class, Outcome.Throttled.class);
        assertThat(deliveries.recordText())
            .doesNotContain("\u0000", "\\u0000")
            .hasSizeLessThan(60_000);
        assertThat(deliveries.recordText().codePoints())
            .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        assertThat(deliveries.record().path("millis").has("total")).isTrue();
      }
    }
  }

  private static byte[] garbage(String beginning, SplittableRandom random) {
    byte[] head = beginning.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    byte[] answer = new byte[head.length + random.nextInt(3_000)];
    random.nextBytes(answer);
    System.arraycopy(head, 0, answer, 0, head.length);
    for (int i = head.length; i < answer.length; i++) {
      switch (random.nextInt(12)) {
        case 0 -> answer[i] = '\n';
        case 1 -> answer[i] = ':';
        case 2 -> answer[i] = 0;
        default -> {}
      }
    }
    return answer;
  }

  private static Wire once(byte[] answer) {
    return new Wire((w, socket) -> {
      w.readRequest(socket);
      Wire.send(socket, answer);
    });
  }

  private static void reset(Socket socket) throws Exception {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}
