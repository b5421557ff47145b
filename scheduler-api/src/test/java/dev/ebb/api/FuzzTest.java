package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Bodies that nobody thought of: whatever comes, the answer is no 5xx, and a row is a 2xx. */
class FuzzTest {
  private static final int BODIES = 1_500;
  private static final String SEED_JOB =
      """
      {"kind":"report","queue":"q","payload":{"n":[1,2.5e3,"é\\u00e9",null,true]},"delay":"PT30S",
      "priority":3,"maxAttempts":7,"uniqueKey":"key","timeout":"PT5S","labels":{"a":"b"},
      "policy":{"jitter":"full","base":"PT1S","cap":"PT1H","factor":2,"priorityScale":{"0":0.5}}}
      """;
  private static final String[] PIECES = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "-",
    "0",
    "1e999",
    "1.0",
    "\\u0000",
    "\\ud800",
    "\"5\"",
    "999999999999999999999",
    "-1",
    "PT-1S",
    "\0",
    "\u00FF",
    "\"\"",
    "{}",
    "[]",
    "payload",
    "kind",
    "\"runAt\":\"2027-01-01T00:00:00Z\",",
    "1E400",
    "9223372036854775808",
    "/**/"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 20270131})
  void a_mutated_job_is_stored_or_refused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int stored = 0;
    try (ApiServer api = ApiServer.start()) {
      for (int i = 0; i < BODIES; i++) {
        byte[] body = mutate(SEED_JOB.strip().getBytes(StandardCharsets.UTF_8), random);
        Reply reply = api.post("/v1/jobs", BodyPublishers.ofByteArray(body));
        assertThat(reply.status())
            .as(
                "seed %s, body %s: %s%n%s",
                seed, i, reply.body(), new String(body, StandardCharsets.UTF_8))
            .isIn(200, 201, 400);
        stored += reply.status() == 201 ? 1 : 0;
      }
      assertThat(api.stored()).isEqualTo(stored);
    }
    assertThat(stored).isBetween(1, BODIES - 1);
  }

  private static byte[] mutate(byte[] body, SplittableRandom random) {
    byte[] mutated = body;
    for (int n = random.nextInt(4); n >= 0; n--) {
      int from = random.nextInt(mutated.length + 1);
      int to = Math.min(mutated.length, from + random.nextInt(6));
      ByteArrayOutputStream next = new ByteArrayOutputStream();
      next.write(mutated, 0, from);
      next.writeBytes(inserted(mutated, random));
      next.write(mutated, to, mutated.length - to);
      mutated = next.toByteArray();
    }
    return mutated;
  }

  private static byte[] inserted(byte[] body, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new byte[] {(byte) random.nextInt(256)};
      case 1 -> new byte[0];
      case 2 -> PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
      default -> {
        int from = body.length == 0 ? 0 : random.nextInt(body.length);
        int length = Math.min(body.length - from, random.nextInt(30));
        yield new String(body, StandardCharsets.ISO_8859_1)
            .substring(from, from + length)
            .getBytes(StandardCharsets.ISO_8859_1);
      }
    };
  }

  @Test
  void a_value_of_every_type_in_every_field_is_stored_or_refused() {
    String[] values = {
      "null",
      "true",
      "0",
      "-0",
      "1.5",
      "1e999",
      "\"\"",
      "\"x\"",
      "\"\\u007f\"",
      "\"😀\"",
      "[]",
      "{}",
      "[[]]",
      "{\"\":\"\"}",
      "{\"a\":{}}",
      "\"PT0S\"",
      "\"9999-12-31T23:59:59.999999Z\"",
      "\"P3650D\"",
      "2147483647",
      "-2147483649"
    };
    try (ApiServer api = ApiServer.start()) {
      JsonNode contract = api.get("/v1/openapi.json").json();
      for (String field : contract.at("/components/schemas/NewJob/properties").propertyNames()) {
        for (String value : values) {
          String rest = field.equals("kind") ? "" : "\"kind\":\"a\",";
          rest += field.equals("payload") ? "" : "\"payload\":1,";
          Reply reply = api.post("/v1/jobs", "{" + rest + "\"" + field + "\":" + value + "}");
          assertThat(reply.status()).as(field + ": " + value).isIn(200, 201, 400);
        }
      }
    }
  }
}
