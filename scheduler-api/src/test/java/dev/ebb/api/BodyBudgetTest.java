package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bodies under way may take together, and that nothing of it is lost. */
class BodyBudgetTest {
  private static final int KIB = 1024;
  private static final String JOB = "{\"kind\":\"a\",\"payload\":1}";
  private static final String CHUNKED =
      "POST /v1/jobs/batch HTTP/1.1¶Host: localhost¶Content-Type: application/json¶"
          + "Connection: close¶Transfer-Encoding: chunked¶¶";

  /** It waits for a body for longer than a test looks at it. */
  private static ApiServer api;

  private static ApiServer impatient;

  @BeforeAll
  static void start() {
    api = start(Duration.ofMinutes(1));
    impatient = start(Duration.ofSeconds(1));
  }

  private static ApiServer start(Duration headTime) {
    ApiConfig.Limits limits =
        ApiConfig.Limits.defaults()
            .withBodies(16 * KIB, 64 * KIB, 192 * KIB)
            .withConnections(1000, headTime);
    return ApiServer.with(ApiConfig.of("127.0.0.1", 0).withLimits(limits));
  }

  @AfterAll
  static void stop() {
    impatient.close();
    api.close();
  }

  @Test
  void a_sender_that_holds_half_of_the_room_is_refused_for_now_and_another_is_served()
      throws Exception {
    try (Sender first = Sender.from("127.0.0.1", api.port());
        Sender second = Sender.from("127.0.0.1", api.port());
        Sender other = Sender.from("127.0.0.2", api.port())) {
      String batch = batch(60 * KIB);
      first.begin("/v1/jobs/batch", batch.length()).send(batch.substring(1));
      Await.until("the first body is held", () -> bytesUnderWay(api) > 60 * KIB);

      assertThat(second.begin("/v1/jobs/batch", batch.length()).send(batch).answer())
          .startsWith("HTTP/1.1 503 ")
          .contains("Retry-After: 1\r\n", "\"code\":\"busy\"", "\"retryable\":true");
      assertThat(other.begin("/v1/jobs/batch", batch.length()).send(batch).answer())
          .startsWith("HTTP/1.1 201 ");
      assertThat(bytesUnderWay(api)).isGreaterThan(60 * KIB);
    }
    awaitNothingUnderWay(api);
  }

  @Test
  void a_body_takes_room_as_it_arrives_and_not_as_it_is_announced() throws Exception {
    try (Sender sender = Sender.from("127.0.0.1", api.port())) {
      sender.begin("/v1/jobs/batch", 64 * KIB).send(" ".repeat(100));
      Await.until("the body has begun", () -> bytesUnderWay(api) > 0);

      assertThat(bytesUnderWay(api)).isLessThanOrEqualTo(KIB);
    }
    awaitNothingUnderWay(api);
  }

  @ParameterizedTest
  @CsvSource({"60,201", "1,400", "-1,400"})
  void what_a_complete_body_took_is_given_back(int kib, int status) throws Exception {
    String body = kib > 1 ? batch(kib * KIB) : kib == 1 ? "{" : "\u00ff";
    try (Sender sender = Sender.from("127.0.0.1", api.port())) {
      assertThat(sender.begin("/v1/jobs/batch", body.length()).send(body).answer())
          .startsWith("HTTP/1.1 " + status);
    }
    awaitNothingUnderWay(api);
  }

  @ParameterizedTest
  @CsvSource({"10000,413", "zz,400"})
  void what_a_refused_body_took_is_given_back(String secondChunk, int status) throws Exception {
    String first = "4000¶" + " ".repeat(16 * KIB) + "¶" + secondChunk + "¶";
    String second = status == 413 ? " ".repeat(64 * KIB) + "¶0¶¶" : "";
    try (Sender sender = Sender.from("127.0.0.1", api.port())) {
      assertThat(sender.send(CHUNKED + first + second).answer()).startsWith("HTTP/1.1 " + status);
    }
    awaitNothingUnderWay(api);
  }

  @Test
  void what_the_body_of_a_client_took_that_is_gone_is_given_back() throws Exception {
    try (Sender sender = Sender.from("127.0.0.1", api.port())) {
      sender.begin("/v1/jobs/batch", 64 * KIB).send(" ".repeat(30 * KIB));
      Await.until("the body is held", () -> bytesUnderWay(api) > 30 * KIB);
    }
    awaitNothingUnderWay(api);
  }

  @Test
  void what_a_body_took_that_pauses_for_too_long_is_given_back() throws Exception {
    try (Sender sender = Sender.from("127.0.0.1", impatient.port())) {
      sender.begin("/v1/jobs/batch", 64 * KIB).send(" ".repeat(30 * KIB));

      assertThat(sender.answer()).startsWith("HTTP/1.1 408 ");
    }
    awaitNothingUnderWay(impatient);
  }

  @Test
  void a_refused_request_whose_body_does_not_come_does_not_hold_its_connection() throws Exception {
    String answer =
        Judged.within(
            Duration.ofSeconds(8),
            "a request whose body does not come",
            TestPostgres.shared().config("postgres"),
            () -> {
              try (Sender sender = Sender.from("127.0.0.1", impatient.port())) {
                sender.begin("/v1/nothing", 1000 * KIB).send("x".repeat(100 * KIB));
                return sender.answer();
              }
            });

    assertThat(answer).startsWith("HTTP/1.1 404");
  }

  private static String batch(int size) {
    String begin = "{\"jobs\":[" + JOB + "]";
    return begin + " ".repeat(size - begin.length() - 1) + "}";
  }

  private static double bytesUnderWay(ApiServer api) {
    return api.meters().get("ebb.http.body.bytes").gauge().value();
  }

  private static void awaitNothingUnderWay(ApiServer api) throws Exception {
    Await.until("all is given back", () -> bytesUnderWay(api) == 0);
  }
}
