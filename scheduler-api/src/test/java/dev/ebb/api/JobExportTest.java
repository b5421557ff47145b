package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.access.CardNumberRule;
import dev.ebb.core.access.Role;
import dev.ebb.core.signing.Dsse;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.TestSecrets;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A job's history as a file that is signed by the cluster. */
class JobExportTest {
  private static final String RECORD =
      "{\"request\":{\"method\":\"POST\",\"url\":\"https://m.example/n\",\"headers\":"
          + "[{\"name\":\"x-order\",\"value\":\"header-of-9981\"}],\"body\":\"sent-9981\"},"
          + "\"response\":{\"status\":500,\"body\":\"answer-9981\"}}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api =
        ApiServer.closed(
            TestPostgres.shared().newDatabase(),
            AccessConfig.of(ApiServer.ADMIN, List.of("")).withCardNumbers(CardNumberRule.MASK));
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply get(String path, String token) {
    return api.send(api.request(path).header("Authorization", "Bearer " + token).GET());
  }

  private static Reply post(String path, String body) {
    return api.send(
        api.request(path)
            .header("Authorization", "Bearer " + ApiServer.ADMIN)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private static String token(Role role) {
    String body = "{\"name\":\"%s\",\"role\":\"%1$s\"}".formatted(role.word());
    return post("/v1/tokens", body).field("token");
  }

  /** A job with attempts that failed. */
  private static String job(int attempts, String detail) {
    String body =
        "{\"kind\":\"report\",\"payload\":{\"order\":\"payload-9981\",\"card\":"
            + "\"4111111111111111\"}}";
    String id = post("/v1/jobs", body).field("id");
    api.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        select '%1$s', now() + n * interval '1 s', now() + n * interval '1 s', 1 + (n - 1) %% 1000,
          'failed', 'http_500', 'no', 'node', '%2$s'
        from generate_series(1, %3$s) n;
        update ebb.job set max_attempts = 1000, attempt = least(%3$s, 1000) where id = '%1$s'
        """
            .formatted(id, detail, attempts));
    return id;
  }

  private static JsonNode content(Reply file) {
    assertThat(file.status()).as(file.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(payload(file));
  }

  private static byte[] payload(Reply file) {
    return Base64.getDecoder().decode(file.field("payload"));
  }

  private static boolean isSigned(Reply file, byte[] payload, JsonNode key) {
    return Dsse.isSigned(
        Dsse.publicKey(key.path("publicKey").asString()),
        file.field("payloadType"),
        payload,
        Base64.getDecoder().decode(file.json().at("/signatures/0/sig").asString()));
  }

  @Test
  void the_key_that_everybody_is_told_signed_just_these_bytes() {
    Reply file = get("/v1/jobs/" + job(2, RECORD) + "/export", ApiServer.ADMIN);

    JsonNode key = api.get("/v1/export-keys").json().at("/items/0");
    byte[] payload = payload(file);
    assertThat(file.json().at("/signatures/0/keyid")).isEqualTo(key.path("id"));
    assertThat(isSigned(file, payload, key)).isTrue();
    payload[payload.length / 2] ^= 1;
    assertThat(isSigned(file, payload, key)).isFalse();
    assertThat(file.header("content-disposition")).startsWith("attachment; filename=");
    assertThat(content(file).path("cluster").asString())
        .isEqualTo(api.text("select origin from ebb.identity"));
  }

  @Test
  void the_file_holds_the_job_its_attempts_and_what_people_did_as_the_api_shows_them() {
    String path = "/v1/jobs/" + job(3, RECORD);
    post(path + "/notes", "{\"note\":\"asked the merchant\"}");

    JsonNode export = content(get(path + "/export", ApiServer.ADMIN));

    assertThat(export.path("job")).isEqualTo(get(path, ApiServer.ADMIN).json());
    assertThat(export.path("attempts")).isEqualTo(get(path + "/attempts", ApiServer.ADMIN).json());
    assertThat(export.path("audit")).isEqualTo(get(path + "/audit", ApiServer.ADMIN).json());
    assertThat(export.path("exportedBy").asString()).isEqualTo("EBB_ADMIN_TOKEN");
    assertThat(export.has("erasedAt")).isFalse();
    assertThat(export.path("attemptsGone").asInt()).isZero();
  }

  @Test
  void what_its_reader_may_not_see_is_masked_and_the_file_says_so() {
    String path = "/v1/jobs/" + job(1, RECORD) + "/export";

    Reply whole = get(path, token(Role.AUDITOR));
    Reply masked = get(path, token(Role.VIEWER));

    String clear = new String(payload(whole), StandardCharsets.UTF_8);
    assertThat(clear)
        .contains("payload-9981", "header-of-9981", "sent-9981", "answer-9981")
        .doesNotContain("4111111111111111");
    assertThat(content(whole).path("masked").toString())
        .isEqualTo("[\"secrets\",\"card_numbers\"]");
    assertThat(new String(payload(masked), StandardCharsets.UTF_8)).doesNotContain("9981");
    assertThat(content(masked).path("masked").toString())
        .isEqualTo("[\"secrets\",\"payload\",\"card_numbers\"]");
  }

  @Test
  void a_job_whose_attempts_were_erased_says_so() {
    String id = job(1, RECORD);
    post("/v1/jobs/" + id + "/cancel", "{}");
    Reply erased =
        api.send(
            api.request("/v1/jobs/" + id + "/payload")
                .header("Authorization", "Bearer " + ApiServer.ADMIN)
                .DELETE());
    assertThat(erased.status()).as(erased.body()).isEqualTo(204);

    Reply file = get("/v1/jobs/" + id + "/export", ApiServer.ADMIN);

    assertThat(content(file).path("erasedAt").asString()).startsWith("20");
    assertThat(new String(payload(file), StandardCharsets.UTF_8)).doesNotContain("9981");
  }

  @Test
  void attempts_whose_records_are_gone_are_counted() {
    String id = job(3, RECORD);
    api.execute("delete from ebb.attempt where job_id = '" + id + "' and number < 3");

    JsonNode export = content(get("/v1/jobs/" + id + "/export", ApiServer.ADMIN));

    assertThat(export.path("attemptsGone").asInt()).isEqualTo(2);
  }

  @Test
  void an_export_of_an_old_job_says_before_when_attempts_are_no_longer_kept() {
    String id = job(1, RECORD);
    String old = api.text("select ebb.first_id(now() - interval '40 days')");
    api.execute("update ebb.job set id = '" + old + "' where id = '" + id + "'");

    JsonNode export = content(get("/v1/jobs/" + old + "/export", ApiServer.ADMIN));

    assertThat(export.at("/attempts/goneBefore").asString()).endsWith("T00:00:00Z");
    assertThat(export.path("attemptsGone").asInt()).isOne();
  }

  @Test
  void a_long_history_is_cut_and_goes_on_in_the_next_file() {
    String path = "/v1/jobs/" + job(1200, "{}") + "/export";

    JsonNode first = content(get(path, ApiServer.ADMIN));
    String cursor = first.at("/attempts/nextCursor").asString();
    JsonNode second = content(get(path + "?cursor=" + cursor, ApiServer.ADMIN));

    assertThat(first.at("/attempts/items").size()).isEqualTo(1000);
    assertThat(first.has("attemptsGone")).isFalse();
    assertThat(second.at("/attempts/items").size()).isEqualTo(200);
    assertThat(second.at("/attempts").has("nextCursor")).isFalse();
    Set<String> starts = new HashSet<>();
    first.at("/attempts/items").forEach(one -> starts.add(one.path("startedAt").asString()));
    second.at("/attempts/items").forEach(one -> starts.add(one.path("startedAt").asString()));
    assertThat(starts).hasSize(1200);
  }

  @Test
  void large_records_are_cut_by_their_bytes() {
    String path = "/v1/jobs/" + job(200, "{\"x\":\"" + "y".repeat(45_000) + "\"}") + "/export";

    Reply file = get(path, ApiServer.ADMIN);

    assertThat(content(file).at("/attempts/nextCursor").isString()).isTrue();
    assertThat(payload(file).length).isBetween(4 << 20, 5 << 20);
  }

  @Test
  void a_rotation_keeps_the_old_public_key_and_forgets_its_private_one() {
    String path = "/v1/jobs/" + job(1, RECORD) + "/export";
    Reply before = get(path, ApiServer.ADMIN);

    Reply rotated = post("/v1/export-keys", "{\"reason\":\"yearly\"}");

    assertThat(rotated.status()).as(rotated.body()).isEqualTo(201);
    Reply after = get(path, ApiServer.ADMIN);
    JsonNode keys = api.get("/v1/export-keys").json().path("items");
    assertThat(after.json().at("/signatures/0/keyid").asString()).isEqualTo(rotated.field("id"));
    assertThat(isSigned(after, payload(after), keys.path(0))).isTrue();
    assertThat(isSigned(before, payload(before), keys.path(1))).isTrue();
    assertThat(isSigned(before, payload(before), keys.path(0))).as("the other key").isFalse();
    assertThat(keys.path(1).has("retiredAt")).isTrue();
    assertThat(api.number("select count(*) from ebb.export_key where sealed is not null")).isOne();
    assertThat(get("/v1/audit?action=export_key.rotate", ApiServer.ADMIN).body())
        .contains(rotated.field("id"), "yearly");
  }

  @Test
  void the_private_key_is_stored_encrypted_and_told_to_nobody() {
    Reply file = get("/v1/jobs/" + job(1, RECORD) + "/export", ApiServer.ADMIN);
    assertThat(file.status()).isEqualTo(200);

    String row = api.text("select e::text from ebb.export_key e where sealed is not null");
    assertThat(row).doesNotContain("PRIVATE");
    assertThat(api.get("/v1/export-keys").body()).doesNotContain("sealed", "PRIVATE");
  }

  @Test
  void a_node_without_a_key_for_secrets_refuses_and_so_does_one_with_another() {
    ApiConfig bare =
        ApiConfig.of("127.0.0.1", 0).withAccess(AccessConfig.of(ApiServer.ADMIN, List.of()));
    String path = "/v1/jobs/" + job(1, RECORD) + "/export";
    assertThat(get(path, ApiServer.ADMIN).status()).isEqualTo(200);
    SecretBox other = SecretBox.parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

    for (ApiConfig config : List.of(bare, bare.withSecrets(other))) {
      try (ApiServer node = ApiServer.closedWith(api.config(), config)) {
        Reply refused =
            node.send(
                node.request(path).header("Authorization", "Bearer " + ApiServer.ADMIN).GET());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.field("code")).isEqualTo("no_secrets_key");
        assertThat(refused.field("detail")).contains("EBB_SECRETS_KEY");
      }
    }
  }

  @Test
  void a_read_only_node_makes_no_key() {
    ApiConfig config =
        ApiConfig.of("127.0.0.1", 0)
            .withSecrets(TestSecrets.BOX)
            .withAccess(AccessConfig.openToAll().withReadOnly(true));
    try (ApiServer writing = ApiServer.start();
        ApiServer reading = ApiServer.closedWith(writing.config(), config)) {
      String path =
          "/v1/jobs/" + writing.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");

      assertThat(reading.get(path + "/export").field("code")).isEqualTo("read_only");
      assertThat(writing.get(path + "/export").status()).isEqualTo(200);
      assertThat(reading.get(path + "/export").status()).isEqualTo(200);
    }
  }

  @Test
  void who_has_no_token_gets_the_public_keys_so_often_and_no_export() {
    try (ApiServer node =
        ApiServer.closed(api.config(), AccessConfig.of(ApiServer.ADMIN, List.of()))) {
      String path = "/v1/jobs/" + job(1, RECORD) + "/export";
      assertThat(node.get(path).status()).isEqualTo(401);
      int asked = 0;
      Reply last;
      do {
        last = node.get("/v1/export-keys");
        assertThat(++asked).isLessThan(10_000);
      } while (last.status() == 200);
      assertThat(asked).isGreaterThan(600);
      assertThat(last.field("code")).isEqualTo("too_many_requests");
    }
  }
}
