package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API tells clients, browsers and readers beside its answers. */
class MannersTest {
  private static final String ADMIN = "an-admin's-token-of-32-characters";
  private static final String SITE = "https://ops.example.com";

  private static ApiServer plain;
  private static ApiServer limited;

  @BeforeAll
  static void start() {
    plain = ApiServer.start();
    limited =
        ApiServer.closed(
            TestPostgres.shared().newDatabase(),
            AccessConfig.of(ADMIN, List.of(""))
                .withRequestsPerMinute(5)
                .withOrigins(List.of(SITE)));
  }

  @AfterAll
  static void stop() {
    plain.close();
    limited.close();
  }

  @Test
  void each_token_has_a_quota_and_every_answer_says_what_is_left_of_it() {
    Reply made = post("/v1/tokens", "{\"name\":\"ada\",\"role\":\"viewer\"}", ADMIN);
    String ada = made.field("token");

    for (int left = 4; left >= 0; left--) {
      Reply reply = get("/v1/me", ada);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("ratelimit-policy")).isEqualTo("\"token\";q=5;w=60");
      assertThat(reply.header("ratelimit")).startsWith("\"token\";r=" + left + ";t=");
    }
    Reply refused = get("/v1/me", ada);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("code")).isEqualTo("too_many_requests");
    assertThat(refused.json().path("retryable").asBoolean()).isTrue();
    assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 12);
    assertThat(get("/v1/me", ADMIN).status()).as("another token's quota").isEqualTo(200);
    assertThat(limited.get("/livez").status()).as("probes have none").isEqualTo(200);
  }

  @Test
  void without_a_quota_no_answer_speaks_of_one() {
    assertThat(plain.get("/v1/jobs").header("ratelimit")).isEmpty();
  }

  @Test
  void a_page_of_a_site_that_was_named_may_ask() throws IOException {
    String asked = preflight(limited, SITE);
    assertThat(asked)
        .startsWith("HTTP/1.1 204")
        .contains("Access-Control-Allow-Origin: " + SITE)
        .contains("Access-Control-Allow-Headers: Authorization")
        .contains("Vary: Origin")
        .doesNotContain("Access-Control-Allow-Credentials");

    String answered = raw(limited, "POST /v1/queues/q/pause", "Origin: " + SITE);
    assertThat(answered)
        .startsWith("HTTP/1.1 401")
        .contains("Access-Control-Allow-Origin: " + SITE)
        .contains("Access-Control-Expose-Headers: ETag");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://ops.example.com",
        "https://ops.example.com.evil.example",
        "https://ops.example.com:444",
        "null"
      })
  void a_page_of_any_other_site_may_not(String origin) throws IOException {
    assertThat(preflight(limited, origin))
        .startsWith("HTTP/1.1 401")
        .doesNotContain("Allow-Origin");
    assertThat(raw(limited, "POST /v1/queues/q/pause", "Origin: " + origin))
        .startsWith("HTTP/1.1 403")
        .doesNotContain("Allow-Origin");
  }

  @Test
  void no_site_may_ask_unless_it_is_named() throws IOException {
    assertThat(preflight(plain, SITE)).startsWith("HTTP/1.1 405").doesNotContain("Allow-Origin");
    assertThat(raw(plain, "GET /v1/jobs", "Origin: " + SITE))
        .startsWith("HTTP/1.1 200")
        .doesNotContain("Allow-Origin");
  }

  @Test
  void long_answers_are_compressed_for_clients_that_take_it_and_short_ones_are_not()
      throws IOException {
    String encoded = "Content-Encoding: gzip";
    assertThat(head("GET /v1/openapi.json", "Accept-Encoding: gzip")).contains(encoded);
    assertThat(head("GET /v1/openapi.json", "Accept: */*")).doesNotContain(encoded);
    assertThat(head("GET /livez", "Accept-Encoding: gzip")).doesNotContain(encoded);
  }

  @Test
  void the_contract_can_be_read_without_a_token() {
    assertThat(limited.get("/v1/openapi.json").status()).isEqualTo(200);
  }

  private static String preflight(ApiServer api, String origin) throws IOException {
    return raw(
        api, "OPTIONS /v1/jobs", "Origin: " + origin + "¶Access-Control-Request-Method: POST");
  }

  private static String head(String line, String header) throws IOException {
    String answer = raw(plain, line, header);
    return answer.substring(0, answer.indexOf("\r\n\r\n"));
  }

  private static String raw(ApiServer api, String line, String header) throws IOException {
    return api.raw(
        line + " HTTP/1.1¶Host: localhost¶Connection: close¶Content-Length: 0¶" + header + "¶¶");
  }

  private static Reply get(String path, String token) {
    return limited.send(limited.request(path).header("Authorization", "Bearer " + token).GET());
  }

  private static Reply post(String path, String body, String token) {
    return limited.postAs(token, path, body);
  }
}
