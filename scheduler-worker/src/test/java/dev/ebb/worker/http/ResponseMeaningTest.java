package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.Deliveries.failure;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers of real servers come to by a delivery's own rules. */
class ResponseMeaningTest {
  private final Deliveries deliveries = new Deliveries();

  @AfterEach
  void close() {
    deliveries.close();
  }

  /** The outcome of a delivery with these fields, to a server that sends these bytes. */
  private Outcome deliver(String fields, byte[] sent, Duration remaining) throws Exception {
    try (Wire wire =
        new Wire((w, socket) -> {
          w.readRequest(socket);
          Wire.send(socket, sent);
          if (remaining.compareTo(LONG) < 0) {
            w.readRequest(socket);
          }
        })) {
      return deliveries.run("{\"url\":\"" + wire.url() + "\"," + fields + "}", remaining);
    }
  }

  private Outcome deliver(String fields, String head, String body) throws Exception {
    return deliver(fields, answer(head, body.getBytes(StandardCharsets.UTF_8)), LONG);
  }

  private static byte[] answer(String head, byte[] body) {
    byte[] before =
        ("HTTP/1.1 " + head + "\r\ncontent-length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[before.length + body.length];
    System.arraycopy(before, 0, whole, 0, before.length);
    System.arraycopy(body, 0, whole, before.length, body.length);
    return whole;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "success       | completed",
        "SUCCESS       | completed",
        "fail          | body_mismatch",
        "<p>success    | body_mismatch",
      })
  void a_merchant_by_alipays_rule_has_been_told_when_its_page_says_success(
      String body, String result) throws Exception {
    Outcome outcome = deliver("\"success\":\"alipay\"", "200 OK", body);

    assertThat(outcome instanceof Outcome.Completed ? "completed" : reason(outcome))
        .isEqualTo(result);
    assertThat(deliveries.record().path("response").path("body").stringValue()).isEqualTo(body);
  }

  @Test
  void a_body_is_tested_far_beyond_what_its_record_shows() throws Exception {
    String late = " ".repeat(15_000) + "{\"code\":\"OK\"}";
    String rule = "\"success\":{\"body\":{\"pointer\":\"/code\",\"equals\":\"OK\"}}";

    assertThat(deliver(rule, "200 OK", late)).isEqualTo(Outcome.completed());
    assertThat(deliver(rule, "200 OK", " ".repeat(2_000) + late))
        .satisfies(outcome ->
            assertThat(failure(outcome).message())
                .endsWith("its body broke off, or is too long to test"));
  }

  @Test
  void a_body_that_breaks_off_is_no_success_unless_the_rule_takes_its_beginning() throws Exception {
    byte[] broken =
        "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nsuccess".getBytes(StandardCharsets.UTF_8);
    String beginning = "\"success\":{\"body\":{\"contains\":\"success\",\"partial\":true}}";

    assertThat(reason(deliver("\"success\":\"alipay\"", broken, LONG))).isEqualTo("body_mismatch");
    assertThat(deliver(beginning, broken, LONG)).isEqualTo(Outcome.completed());
    assertThat(deliver("\"method\":\"POST\"", broken, LONG))
        .as("a body that does not matter")
        .isEqualTo(Outcome.completed());
  }

  @Test
  void a_body_that_does_not_end_in_time_is_tested_as_far_as_it_came() throws Exception {
    byte[] open =
        "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nsuccess".getBytes(StandardCharsets.UTF_8);
    String beginning = "\"success\":{\"body\":{\"contains\":\"success\",\"partial\":true}}";

    assertThat(deliverBegun(beginning, open)).isEqualTo(Outcome.completed());
    assertThat(reason(deliverBegun("\"success\":\"alipay\"", open))).isEqualTo("body_mismatch");
  }

  /** Tries until the answer has begun in time, which a busy machine may miss. */
  private Outcome deliverBegun(String fields, byte[] open) throws Exception {
    Outcome outcome = deliver(fields, open, Duration.ofSeconds(3));
    for (int tries = 1; tries < 5 && isTimeout(outcome); tries++) {
      outcome = deliver(fields, open, Duration.ofSeconds(3));
    }
    return outcome;
  }

  private static boolean isTimeout(Outcome outcome) {
    return outcome instanceof Outcome.Failed failed && failed.failure().reason().equals("timeout");
  }

  @Test
  void a_body_that_is_no_text_is_no_success() throws Exception {
    byte[] binary = answer("200 OK", new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

    assertThat(failure(deliver("\"success\":{\"body\":{\"equals\":\"\"}}", binary, LONG)).message())
        .endsWith("its body is not text");
  }

  @Test
  void a_class_gives_an_answer_its_effect_and_its_reason() throws Exception {
    String classes =
        "\"classes\":[{\"statuses\":[404],\"body\":{\"contains\":\"unknown order\"},"
            + "\"effect\":\"permanent\",\"reason\":\"order_unknown\"}]";

    Outcome unknown = deliver(classes, "404 Not Found", "unknown order 7");
    assertThat(unknown).isInstanceOf(Outcome.Fatal.class);
    assertThat(reason(unknown)).isEqualTo("order_unknown");
    assertThat(reason(deliver(classes, "404 Not Found", "no such page"))).isEqualTo("http_404");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OK 20260102-0007   | completed",
        "ok 20260102-7      | completed",
        "OK 20260102-0007!  | body_mismatch",
        "NOT OK 20260102-7  | body_mismatch",
      })
  void a_body_may_have_to_match_a_regular_expression(String body, String result) throws Exception {
    String rule = "\"success\":{\"body\":{\"matches\":\"ok \\\\d{8}-\\\\d+\",\"ignoreCase\":true}}";

    Outcome outcome = deliver(rule, "200 OK", body);

    assertThat(outcome instanceof Outcome.Completed ? "completed" : reason(outcome))
        .isEqualTo(result);
  }

  @Test
  void a_regular_expression_judges_what_came_of_a_body_that_broke_off() throws Exception {
    byte[] broken =
        "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nok 7".getBytes(StandardCharsets.UTF_8);
    String whole = "\"success\":{\"body\":{\"matches\":\"ok \\\\d\"}}";
    String beginning = "\"success\":{\"body\":{\"matches\":\"ok \\\\d\",\"partial\":true}}";

    assertThat(reason(deliver(whole, broken, LONG))).isEqualTo("body_mismatch");
    assertThat(deliver(beginning, broken, LONG)).isEqualTo(Outcome.completed());
  }

  @Test
  void a_redirect_is_what_a_class_says_and_is_not_followed() throws Exception {
    String classes =
        "\"classes\":[{\"statuses\":[\"3xx\"],\"effect\":\"permanent\",\"reason\":\"moved\"}]";
    try (Wire elsewhere = Wire.answering("HTTP/1.1 204 No Content\r\n\r\n")) {
      Outcome outcome = deliver(classes, "307 Moved\r\nLocation: " + elsewhere.url(), "");

      assertThat(outcome).isInstanceOf(Outcome.Fatal.class);
      assertThat(reason(outcome)).isEqualTo("moved");
      assertThat(elsewhere.connections()).isZero();
    }
  }

  @Test
  void a_throttled_answer_of_any_status_waits_as_long_as_it_asks() throws Exception {
    String classes =
        "\"success\":{\"body\":{\"equals\":\"ok\"}},\"classes\":[{\"statuses\":[\"2xx\"],"
            + "\"body\":{\"equals\":\"busy\"},\"effect\":\"throttled\",\"reason\":\"busy\"}]";

    assertThat(deliver(classes, "200 OK\r\nRetry-After: 30", "busy"))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            throttled -> assertThat(throttled.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
  }

  @Test
  void an_answer_without_a_body_has_an_empty_one() throws Exception {
    byte[] none = "HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    assertThat(deliver("\"success\":{\"body\":{\"equals\":\"\"}}", none, LONG))
        .isEqualTo(Outcome.completed());
  }

  @ParameterizedTest
  @CsvSource({"disable", "abort-message", "Disable"})
  void a_receiver_may_ask_by_a_header_for_no_more_attempts(String asked) throws Exception {
    Outcome outcome = deliver("\"method\":\"POST\"", "503 No\r\nWebhook-Delivery: " + asked, "");

    assertThat(outcome).isInstanceOf(Outcome.Fatal.class);
    assertThat(reason(outcome)).isEqualTo("aborted_by_destination");
  }
}
