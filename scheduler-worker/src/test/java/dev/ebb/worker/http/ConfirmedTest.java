package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.HttpHandlerTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.http.Verdict;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever sent a status and the whole head has answered: what is wrong beside and behind it changes
 * nothing, stands in the record, and ends the connection.
 */
class ConfirmedTest {
  private final Deliveries deliveries = new Deliveries();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void close() {
    over.countDown();
    deliveries.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "body_truncated | content-length: 9~~ab",
        "body_truncated | content-length: 1000000~~ab",
        "body_truncated | transfer-encoding: chunked~~5~ab",
        "body_truncated | transfer-encoding: chunked~~2~ab~",
        "body_truncated | transfer-encoding: chunked~~",
        "body_malformed | transfer-encoding: chunked~~zz~ab",
        "body_malformed | transfer-encoding: chunked~~-1~ab",
        "body_malformed | transfer-encoding: chunked~~ffffffffffffffffff~ab",
        "body_malformed | transfer-encoding: chunked~~1~abc~",
        "length_unreadable | content-length: abc~~ab",
        "length_unreadable | content-length: -5~~ab",
        "length_unreadable | content-length: +2~~ab",
        "length_unreadable | content-length: 0x2~~ab",
        "length_unreadable | content-length:~~ab",
        "length_unreadable | content-length: 2, 3~~ab",
        "length_unreadable | content-length: 2,~~ab",
        "length_unreadable | content-length: 2~content-length: 3~~ab",
        "length_unreadable | content-length: 99999999999999999999~~ab",
        "coding_unknown | transfer-encoding: gzip, chunked~~2~ab~0~~",
        "coding_unknown | transfer-encoding: gzip~~ab",
        "coding_unknown | transfer-encoding: chunked, gzip~~ab",
        "coding_unknown | transfer-encoding: chunked;q=1~~ab",
        "header_unreadable | nonsense~content-length: 2~~ab",
        "header_unreadable | : x~content-length: 2~~ab",
        "header_unreadable | two words: x~content-length: 2~~ab",
        "header_unreadable | é: x~content-length: 2~~ab",
        "header_unreadable | HTTP/1.1 500 No~content-length: 2~~ab"
      })
  void a_fault_changes_no_outcome_and_is_recorded(String fault, String rest) throws Exception {
    try (Wire wire = once("HTTP/1.1 200 OK~" + rest)) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(deliveries.faults()).containsExactly(fault);
      assertThat(deliveries.record().path("response").path("faults").path(0).path("message"))
          .asString()
          .isNotEmpty();
      assertThat(wire.requests).as("sent once").hasSize(1);
    }
    try (Wire wire = once("HTTP/1.1 503 No~retry-after: 7~" + rest)) {
      assertThat(deliveries.deliver(wire.url()))
          .isInstanceOfSatisfying(
              Outcome.Throttled.class,
              throttled -> assertThat(throttled.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
      assertThat(deliveries.faults()).containsExactly(fault);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "content-length: 2~content-length: 2~~ab",
        "content-length: 2, 2~~ab",
        "content-length : 2~~ab",
        "content-length:~ 2~~ab",
        "transfer-encoding: identity~content-length: 2~~ab",
        "transfer-encoding: identity~~ab",
        "transfer-encoding: identity, chunked~~2~ab~0~~",
        "transfer-encoding: chunked, chunked~~2~ab~0~~",
        "transfer-encoding: chunked~content-length: 7~~2~ab~0~~",
        "x: a\0b~content-length: 2~~ab",
        "x: a\rb~content-length: 2~~ab",
        "x: a~  b~content-length: 2~~ab",
        "connection: close~content-length: 2~~ab",
        "~ab"
      })
  void what_can_be_read_is_read_and_its_connection_not_used_again(String rest) throws Exception {
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(socket, bytes("HTTP/1.1 200 OK~" + rest));
          if (rest.startsWith("transfer-encoding: identity~~") || rest.startsWith("~")) {
            return;
          }
          w.readRequest(socket);
          Wire.send(socket, answer(500, ""));
        })) {
      for (int i = 0; i < 2; i++) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(deliveries.faults()).isEmpty();
        assertThat(deliveries.record().path("response").path("body").stringValue()).isEqualTo("ab");
      }
      assertThat(wire.connections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200~content-length: 2~~ab",
        "HTTP/1.1  200  OK~content-length: 2~~ab",
        "~~HTTP/1.1 200 OK~content-length: 2~~ab",
        "HTTP/1.1 200 \0\rOK~content-length: 2~~ab",
        "HTTP/1.1 200 OK~CONTENT-LENGTH:2~~ab",
        "HTTP/1.1 200 OK~content-length: 2 \t~~ab",
        "HTTP/1.1 200 OK~transfer-encoding: CHUNKED~~2;x=\"y\"~ab~0~x: y~~",
        "HTTP/1.1 102 P~~HTTP/1.1 100 C~~HTTP/1.1 200 OK~content-length: 2~~ab"
      })
  void what_every_reader_understands_keeps_its_connection(String whole) throws Exception {
    try (Wire wire = Wire.answering(new String(bytes(whole), StandardCharsets.ISO_8859_1))) {
      for (int i = 0; i < 2; i++) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(deliveries.faults()).isEmpty();
      }
      assertThat(wire.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_folded_line_that_continues_nothing_is_left_out() throws Exception {
    try (Wire wire = once("HTTP/1.1 200 OK~ x: y~content-length: 2~~ab")) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(deliveries.faults()).containsExactly("header_unreadable");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/2.0", "HTTP/2", "HTTP/1.2", "HTTP/0.9", "HTTP/3"})
  void another_version_in_the_status_line_is_read_as_if_it_were_1_0(String version)
      throws Exception {
    try (Wire wire = Wire.answering(version + " 200 OK\r\ncontent-length: 0\r\n\r\n")) {
      for (int i = 0; i < 2; i++) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(deliveries.faults()).containsExactly("version_unknown");
      }
      assertThat(wire.connections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK~content-length: 0~~",
        "HTTP/1.1 200 OK~transfer-encoding: chunked~~0~~",
        "HTTP/1.1 204 No Content~~"
      })
  void what_comes_behind_an_answer_is_never_the_next_one(String answer) throws Exception {
    String surplus = "HTTP/1.1 200 OK~content-length: 0~~";
    try (Wire wire =
        new Wire((w, socket) -> {
          while (w.readRequest(socket)) {
            boolean first = w.requests.size() == 1;
            Wire.send(socket, first ? bytes(answer + surplus) : bytes(answer(500, "")));
          }
        })) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(Deliveries.reason(deliveries.deliver(wire.url()))).isEqualTo("http_500");
    }
  }

  @Test
  void an_answer_that_does_not_wait_for_the_whole_request_counts() throws Exception {
    String large = "{\"url\":\"%s\",\"body\":\"" + "a".repeat(8_000_000) + "\"}";
    for (int status : new int[] {200, 413}) {
      try (Wire wire =
          new Wire((w, socket) -> {
            socket.getInputStream().read();
            Wire.send(socket, answer(status, "connection: close\r\n"));
          })) {
        Outcome outcome = deliveries.run(large.replace("%s", wire.url()), LONG);

        assertThat(deliveries.record().path("response").path("status").intValue())
            .isEqualTo(status);
        assertThat(outcome.equals(Outcome.completed())).isEqualTo(status == 200);
      }
    }
  }

  @Test
  void an_interrupt_does_not_take_back_what_the_destination_confirmed() throws Exception {
    assertThat(interruptedInItsBody("HTTP/1.1 200 OK")).isEqualTo(Outcome.completed());
    assertThat(interruptedInItsBody("HTTP/1.1 500 No")).isInstanceOf(InterruptedException.class);
  }

  /** What comes of an exchange that is interrupted once its head is there. */
  private Object interruptedInItsBody(String status) throws Exception {
    String head = status + "\r\ncontent-length: 50000\r\n\r\n";
    GuardedResolver any =
        new GuardedResolver((_, _, _) -> true, new Lookups(InetAddress::getAllByName));
    try (Wire wire =
            new Wire((w, socket) -> {
              w.readRequest(socket);
              Wire.send(socket, head);
              over.await();
            });
        CloseableHttpClient client =
            DeliveryClient.build(
                any, DeliveryTls.context(null), HttpHandlerConfig.defaults(), "")) {
      Exchange exchange =
          new Exchange(client, new HttpUriRequestBase("GET", wire.uri()), false, null);
      AtomicReference<Object> end = new AtomicReference<>();
      Thread attempt =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  end.set(exchange.run(Deliveries.LONG, ConfirmedTest::verdict));
                } catch (InterruptedException interrupted) {
                  end.set(interrupted);
                }
              });
      Await.until("its head is there", () -> exchange.response() != null);
      attempt.interrupt();
      attempt.join();
      return end.get();
    }
  }

  private static Verdict verdict(Response response) {
    boolean isOk = response.status() == 200;
    return new Verdict(isOk ? Outcome.completed() : Outcome.failed("no", "no"), "a test's");
  }

  private static Wire once(String answer) {
    return new Wire((w, socket) -> {
      w.readRequest(socket);
      Wire.send(socket, bytes(answer));
    });
  }

  private static byte[] bytes(String answer) {
    return answer.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }
}
