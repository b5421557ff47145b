package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.reason;
import static dev.ebb.worker.http.HttpHandlerTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an answer comes to. */
class AnswersTest {
  private final Deliveries deliveries = new Deliveries();

  @AfterEach
  void close() {
    deliveries.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 206, 299})
  void two_hundreds_complete(int status) throws Exception {
    try (Wire wire = Wire.answering(answer(status, ""))) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {300, 304, 400, 401, 403, 404, 405, 407, 408, 413, 422, 499, 500, 502, 503, 504, 599})
  void other_answers_fail_and_are_named_by_their_status(int status) throws Exception {
    try (Wire wire = Wire.answering(answer(status, ""))) {
      Outcome outcome = deliveries.deliver(wire.url());

      assertThat(outcome).isInstanceOf(Outcome.Failed.class);
      assertThat(reason(outcome)).isEqualTo("http_" + status);
      assertThat(wire.requests).as("sent once").hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirect_is_a_failure_and_is_not_followed(int status) throws Exception {
    try (Wire other = Wire.answering(answer(200, ""));
        Wire wire = Wire.answering(answer(status, "location: " + other.url() + "\r\n"))) {
      assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("http_" + status);
      assertThat(other.connections()).isZero();
      assertThat(wire.requests).hasSize(1);
    }
  }

  @Test
  void gone_is_fatal() throws Exception {
    try (Wire wire = Wire.answering(answer(410, "retry-after: 5\r\n"))) {
      Outcome outcome = deliveries.deliver(wire.url());

      assertThat(outcome).isInstanceOf(Outcome.Fatal.class);
      assertThat(reason(outcome)).isEqualTo("http_410");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 429, 500, 502, 503, 504})
  void an_answer_that_asks_to_wait_throttles(int status) throws Exception {
    try (Wire wire = Wire.answering(answer(status, "Retry-After: 17\r\n"))) {
      Outcome outcome = deliveries.deliver(wire.url());

      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Throttled.class,
              throttled -> assertThat(throttled.retryAfter()).isEqualTo(Duration.ofSeconds(17)));
      assertThat(reason(outcome)).isEqualTo("http_" + status);
    }
  }

  @Test
  void a_wait_is_at_most_a_day() throws Exception {
    try (Wire wire = Wire.answering(answer(503, "Retry-After: 1000000000000000000\r\n"))) {
      assertThat(deliveries.deliver(wire.url()))
          .isInstanceOfSatisfying(
              Outcome.Throttled.class,
              throttled -> assertThat(throttled.retryAfter()).isEqualTo(Duration.ofDays(1)));
    }
  }

  @Test
  void too_many_requests_throttles_even_without_a_readable_wait() throws Exception {
    try (Wire plain = Wire.answering(answer(429, ""));
        Wire odd = Wire.answering(answer(429, "retry-after: -3\r\n"))) {
      assertThat(deliveries.deliver(plain.url()))
          .isInstanceOfSatisfying(
              Outcome.Throttled.class, throttled -> assertThat(throttled.retryAfter()).isZero());
      assertThat(deliveries.deliver(odd.url())).isInstanceOf(Outcome.Throttled.class);
    }
  }
}
