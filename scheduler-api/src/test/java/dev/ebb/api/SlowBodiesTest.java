package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No request waits for ever for its end, whatever comes bit by bit, and whoever wants it. */
class SlowBodiesTest {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int MANY = 600;

  private static ApiServer api;

  @BeforeAll
  static void start() {
    ApiConfig.Limits limits =
        ApiConfig.Limits.defaults().withConnections(100, Duration.ofMillis(500));
    api =
        ApiServer.closedWith(
            TestPostgres.shared().newDatabase(),
            ApiConfig.of("127.0.0.1", 0)
                .withAccess(AccessConfig.of(ApiServer.ADMIN, List.of()))
                .withLimits(limits));
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String head(String token, String length) {
    return "POST /v1/jobs HTTP/1.1¶Host: localhost¶Content-Type: application/json¶Authorization: Bearer "
        + token
        + "¶"
        + length
        + "¶¶";
  }

  /**
   * A token that is none has its request refused before its body is read, and the rest of that is
   * thrown away.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a body | Content-Length: 4000 | | x",
        "chunks | Transfer-Encoding: chunked | | 1¶x¶",
        "an extension of a chunk | Transfer-Encoding: chunked | 1;a= | x",
        "a trailer | Transfer-Encoding: chunked | 0¶X: | x",
      })
  void a_request_that_drips_ends_within_its_time(
      String what, String length, String first, String drip) throws IOException {
    for (String token : new String[] {ApiServer.ADMIN, "none"}) {
      try (Sender sender = Sender.from("127.0.0.1", api.port())) {
        sender.send(head(token, length)).send(first == null ? "" : first);
        for (int drips = 0; !isEnough(sender, drip); drips++) {
          assertThat(drips).as(what + token).isLessThan(MANY);
        }
      }
    }
  }

  /** Whether the other side has had enough of it; what it answers before is no end. */
  private static boolean isEnough(Sender sender, String drip) {
    try {
      sender.send(drip);
      return sender.isClosedWithin(PAUSE);
    } catch (IOException closed) {
      return true;
    }
  }

  @Test
  void a_request_whose_body_is_there_may_take_longer() throws IOException {
    String job = "{\"kind\":\"a\",\"payload\":1}";
    try (Sender sender = Sender.from("127.0.0.1", api.port())) {
      sender.send(head(ApiServer.ADMIN, "Content-Length: " + job.length()) + job).readAnswer();
      String wait =
          "GET /v1/jobs/%s?wait=PT4S HTTP/1.1¶Host: localhost¶Authorization: Bearer %s¶¶"
              .formatted(api.text("select id from ebb.job limit 1"), ApiServer.ADMIN);

      sender.send(wait).readAnswer();
    }
  }
}
