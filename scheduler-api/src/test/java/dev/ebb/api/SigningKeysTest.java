package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.TestSecrets;
import java.net.http.HttpRequest;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The keys with which deliveries to a destination are signed. */
class SigningKeysTest {
  private static final String PLAIN = "{\"url\":\"https://plain.example/\"}";
  private static final String GIVEN = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String destination(String name) {
    api.put("/v1/destinations/" + name, PLAIN);
    return "/v1/destinations/" + name;
  }

  private static Reply delete(String path) {
    return api.send(api.request(path).DELETE());
  }

  @Test
  void a_secret_is_shown_once_and_stored_encrypted() throws Exception {
    String path = destination("secretive");

    Reply added = api.post(path + "/keys", "{}");

    String secret = added.field("secret");
    assertThat(added.status()).as(added.body()).isEqualTo(201);
    assertThat(secret).matches("whsec_[A-Za-z0-9+/]{43}=");
    Reply shown = api.get(path);
    assertThat(shown.json().at("/signing/0/id").asString()).isEqualTo(added.field("id"));
    assertThat(shown.body()).doesNotContain("sealed", secret.substring(6));
    String row = api.text("select destination::text from ebb.queue where name = 'secretive'");
    assertThat(row).contains("sealed").doesNotContain(secret.substring(6));
    assertThat(api.get("/v1/audit?subject=secretive").body())
        .contains("destination.keys", added.field("id"))
        .doesNotContain(secret.substring(6));
  }

  private static Reply add(String path, String idempotencyKey, String body) {
    return add(api, path, idempotencyKey, body);
  }

  private static Reply add(ApiServer server, String path, String idempotencyKey, String body) {
    return server.send(
        server
            .request(path + "/keys")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  @Test
  void a_repeat_makes_no_second_key_and_has_the_secret_of_the_first() {
    String path = destination("repeated");
    String rotation = "{\"overlap\":\"PT1H\"}";

    Reply first = add(path, "lost-answer", rotation);
    Reply again = add(path, "lost-answer", rotation);
    Reply other = add(path, "lost-answer", "{\"overlap\":\"PT2H\"}");
    Reply next = add(path, "another", rotation);

    assertThat(first.status()).as(first.body()).isEqualTo(201);
    assertThat(again.status()).as(again.body()).isEqualTo(201);
    assertThat(again.json()).isEqualTo(first.json());
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.field("code")).isEqualTo("idempotency_key_reused");
    assertThat(api.get(path).json().path("signing").findValuesAsString("id"))
        .containsExactly(next.field("id"), first.field("id"));
    delete(path + "/keys/" + first.field("id"));
    assertThat(add(path, "lost-answer", rotation).field("code")).isEqualTo("key_not_found");
  }

  @Test
  void whoever_is_told_a_secret_again_is_in_the_audit() {
    String path = destination("told-again");
    String given = "{\"secret\":\"" + GIVEN + "\"}";
    String added = add(path, "made", "{}").field("id");
    for (int i = 0; i < 2; i++) {
      add(path, "handed-in", given);
      add(path, "public", "{\"scheme\":\"v1a\"}");
    }
    String repeats = "/v1/audit?subject=told-again&action=destination.keys_repeat";
    assertThat(api.get(repeats).json().path("items")).isEmpty();

    Reply again = add(path, "made", "{}");

    JsonNode entries = api.get(repeats).json().path("items");
    assertThat(entries).hasSize(1);
    assertThat(entries.toString())
        .contains(added)
        .doesNotContain(again.field("secret").substring(6));
  }

  @Test
  void a_node_that_lacks_the_key_of_a_secret_says_which_and_where_to_repeat() {
    String path = destination("elsewhere");
    add(path, "made-here", "{}");
    String stranger = Base64.getEncoder().encodeToString(new byte[32]);
    ApiConfig other = ApiConfig.of("127.0.0.1", 0).withSecrets(SecretBox.parse(stranger));

    try (ApiServer elsewhere = ApiServer.over(api.config(), other)) {
      Reply refused = add(elsewhere, path, "made-here", "{}");

      assertThat(refused.field("code")).isEqualTo("no_secrets_key");
      assertThat(refused.field("detail"))
          .contains("lacks the key " + TestSecrets.BOX.ids().getFirst(), "at a node that has it");
      String repeats = "/v1/audit?subject=elsewhere&action=destination.keys_repeat";
      assertThat(api.get(repeats).json().path("items")).as("nobody was told it").isEmpty();
    }
  }

  @Test
  void a_repeat_with_another_secret_is_refused_and_no_hash_of_one_is_stored() {
    String path = destination("given-again");
    String body = "{\"secret\":\"" + GIVEN + "\"}";

    Reply first = add(path, "given", body);
    Reply again = add(path, "given", body);
    Reply other = add(path, "given", body.replace("MfKQ", "NfKQ"));

    assertThat(again.json()).isEqualTo(first.json());
    assertThat(again.json().has("secret")).isFalse();
    assertThat(other.status()).isEqualTo(422);
    assertThat(
            api.number(
                "select count(distinct fingerprint) from ebb.idempotency where job_ids[1]"
                    + " = ('00000000-0000-0000-0000-0000"
                    + first.field("id").substring(4)
                    + "')::uuid"))
        .isOne();
  }

  @Test
  void a_rotation_lets_the_old_key_sign_until_the_overlap_ends() {
    String path = destination("rotated");
    String first = api.post(path + "/keys", "{}").field("id");

    String second = api.post(path + "/keys", "{\"overlap\":\"PT1H\"}").field("id");

    assertThat(api.get(path).json().path("signing").findValuesAsString("id"))
        .containsExactly(second, first);
    assertThat(api.get(path).json().at("/signing/0/expiresAt").isMissingNode()).isTrue();
    assertThat(api.get(path).json().at("/signing/1/expiresAt").isMissingNode()).isFalse();
    String third = api.post(path + "/keys", "{\"overlap\":\"PT0S\"}").field("id");
    assertThat(api.get(path).json().path("signing").findValuesAsString("id"))
        .containsExactly(third);
  }

  @Test
  void the_last_key_that_lasts_is_not_deleted_beside_one_that_expires() {
    String path = destination("lasting");
    String first = api.post(path + "/keys", "{}").field("id");
    String second = api.post(path + "/keys", "{}").field("id");

    assertThat(delete(path + "/keys/" + second).field("code")).isEqualTo("keys_expire");
    assertThat(delete(path + "/keys/" + first).status()).isEqualTo(204);
    assertThat(delete(path + "/keys/" + second).status()).isEqualTo(204);
    assertThat(api.get(path).json().path("signing").isEmpty()).isTrue();
  }

  @Test
  void a_rotation_leaves_all_else_to_the_byte() throws Exception {
    String path = destination("exact");
    api.execute(
        "update ebb.queue set destination = destination || '{\"later\":1}',"
            + " policy = '{\"jitter\":\"of a later version\"}' where name = 'exact'");

    assertThat(api.post(path + "/keys", "{}").status()).isEqualTo(201);

    assertThat(
            api.text(
                "select concat(destination ->> 'later', policy ->> 'jitter') from ebb.queue"
                    + " where name = 'exact'"))
        .isEqualTo("1of a later version");
  }

  @Test
  void keys_outlast_changes_of_the_destination_and_of_its_queue() {
    String path = destination("kept");
    String key = api.post(path + "/keys", "{\"scheme\":\"v1a\"}").field("id");

    api.put(path, PLAIN, "If-Match", "*");
    api.put("/v1/queues/kept", "{\"paused\":true}", "If-Match", "*");

    Reply shown = api.get(path);
    assertThat(shown.json().at("/signing/0/id").asString()).isEqualTo(key);
    assertThat(shown.json().at("/signing/0/publicKey").asString()).startsWith("whpk_");
    assertThat(shown.json().path("paused").asBoolean()).isTrue();
    assertThat(delete(path + "/keys/" + key).status()).isEqualTo(204);
    assertThat(delete(path + "/keys/" + key).field("code")).isEqualTo("key_not_found");
  }

  @Test
  void a_given_secret_is_not_shown_again_and_there_is_an_end_to_keys() {
    String path = destination("given");

    Reply given = api.post(path + "/keys", "{\"secret\":\"whsec_" + GIVEN + "\"}");

    assertThat(given.status()).as(given.body()).isEqualTo(201);
    assertThat(given.body()).doesNotContain(GIVEN, "\"secret\"");
    for (int i = 0; i < 4; i++) {
      assertThat(api.post(path + "/keys", "{}").status()).isEqualTo(201);
    }
    assertThat(api.post(path + "/keys", "{}").field("code")).isEqualTo("too_many_keys");
    assertThat(api.post("/v1/destinations/nothing/keys", "{}").field("code"))
        .isEqualTo("destination_not_found");
  }

  @Test
  void an_rsa_pair_shows_its_public_key_and_never_its_private_one() throws Exception {
    String path = destination("rsa");
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(3072);
    KeyPair pair = generator.generateKeyPair();
    String secret = Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded());
    String open = Base64.getEncoder().encodeToString(pair.getPublic().getEncoded());

    Reply random = api.post(path + "/keys", "{\"scheme\":\"rsa\"}");
    Reply given = api.post(path + "/keys", "{\"scheme\":\"rsa\",\"secret\":\"" + secret + "\"}");

    assertThat(random.field("publicKey")).startsWith("-----BEGIN PUBLIC KEY-----\n");
    assertThat(given.field("publicKey").replaceAll("\\s|-----[A-Z ]+-----", "")).isEqualTo(open);
    assertThat(random.body() + given.body()).doesNotContain("\"secret\"", secret);
    Reply shown = api.get(path);
    assertThat(shown.json().at("/signing/0/publicKey").asString())
        .isEqualTo(given.field("publicKey"));
    assertThat(shown.json().at("/signing/1/expiresAt").isMissingNode())
        .as("the older pair expires")
        .isFalse();
    assertThat(
            shown.body()
                + api.text("select destination::text from ebb.queue where name = 'rsa'")
                + api.get("/v1/audit?subject=rsa").body())
        .doesNotContain(secret.substring(100));
  }

  private static JsonNode signing(String path) {
    return api.get(path).json().path("signing");
  }

  private static boolean ends(String path, int key) {
    return !signing(path).path(key).path("expiresAt").isMissingNode();
  }

  @Test
  void a_key_that_grows_has_the_older_one_end_after_it_has_all() {
    String path = destination("growing");
    api.post(path + "/keys", "{}");

    Reply added = api.post(path + "/keys", "{\"share\":5,\"wholeIn\":\"P7D\",\"overlap\":\"P1D\"}");

    assertThat(added.status()).as(added.body()).isEqualTo(201);
    JsonNode young = signing(path).path(0);
    assertThat(young.at("/share/percent").intValue()).isEqualTo(5);
    Instant since = Instant.parse(young.at("/share/since").asString());
    assertThat(young.at("/share/wholeAt").asString())
        .isEqualTo(since.plus(Duration.ofDays(7)).toString());
    assertThat(signing(path).at("/1/expiresAt").asString())
        .isEqualTo(since.plus(Duration.ofDays(8)).toString());
    assertThat(api.get("/v1/audit?subject=growing").body()).contains(", 5 % at ", ", all at ");
  }

  @Test
  void a_share_is_raised_step_by_step_and_taken_back() {
    String path = destination("stepwise");
    String old = api.post(path + "/keys", "{}").field("id");
    String young = api.post(path + "/keys", "{\"share\":1}").field("id");
    String share = path + "/keys/" + young + "/share";
    assertThat(ends(path, 1)).as("nobody knows when").isFalse();

    Reply grown = api.post(share, "{\"share\":25,\"wholeIn\":\"P2D\"}");
    assertThat(grown.json().at("/share/percent").intValue()).as(grown.body()).isEqualTo(25);
    assertThat(ends(path, 1)).isTrue();

    assertThat(api.post(share, "{\"share\":0}").status()).isEqualTo(200);
    assertThat(ends(path, 1)).as("it goes on").isFalse();

    Reply whole = api.post(share, "{\"share\":100,\"reason\":\"all merchants are ready\"}");
    assertThat(whole.json().has("share")).isFalse();
    assertThat(ends(path, 1)).isTrue();
    assertThat(signing(path).findValuesAsString("id")).containsExactly(young, old);
    assertThat(api.get("/v1/audit?subject=stepwise").body())
        .contains("all merchants are ready", "25 % at ");
    assertThat(api.post(path + "/keys/key_none/share", "{\"share\":1}").field("code"))
        .isEqualTo("key_not_found");
    assertThat(api.post(share, "{}").json().at("/errors/0/pointer").asString()).isEqualTo("/share");
  }

  @Test
  void a_key_of_a_payment_service_has_names_for_its_receivers() {
    String path = destination("named");

    Reply wechat =
        api.post(
            path + "/keys",
            "{\"scheme\":\"wechatpay\",\"serial\":\"5157F0\",\"headerPrefix\":\"Acmepay\"}");
    Reply alipay = api.post(path + "/keys", "{\"scheme\":\"alipay\",\"clientId\":\"SHOP_7\"}");

    assertThat(List.of(wechat.field("publicKey"), alipay.field("publicKey")))
        .allMatch(key -> key.startsWith("-----BEGIN PUBLIC KEY-----\n"));
    assertThat(signing(path).at("/0/clientId").asString()).isEqualTo("SHOP_7");
    assertThat(signing(path).at("/1/serial").asString()).isEqualTo("5157F0");
    assertThat(signing(path).at("/1/headerPrefix").asString()).isEqualTo("Acmepay");
    assertThat(ends(path, 1)).as("another scheme's key").isFalse();
  }

  @Test
  void the_contract_names_every_scheme() {
    JsonNode schemas = api.get("/v1/openapi.json").json().at("/components/schemas");

    for (String schema : List.of("SigningKey", "NewSigningKey", "SigningKeyRequest")) {
      assertThat(schemas.at("/" + schema + "/properties/scheme/enum").values())
          .extracting(JsonNode::asString)
          .isEqualTo(SigningScheme.words());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"scheme\":\"v2\"}                                   | /scheme",
        "{\"secret\":\"short\",\"encoding\":\"utf8\"}          | /secret",
        "{\"secret\":\"no base64!\"}                           | /secret",
        "{\"secret\":\"00\",\"encoding\":\"octal\"}            | /encoding",
        "{\"encoding\":\"hex\"}                                | /encoding",
        "{\"scheme\":\"v1a\",\"secret\":\"MfKQ9r8GKYqrTwjUPD8I\"} | /secret",
        "{\"scheme\":\"rsa\",\"secret\":\"MfKQ9r8GKYqrTwjUPD8I\"} | /secret",
        "{\"scheme\":\"rsa\",\"secret\":\"00\",\"encoding\":\"hex\"} | /encoding",
        "{\"overlap\":\"P31D\"}                                | /overlap",
        "{\"serial\":\"7\"}                                    | /serial",
        "{\"scheme\":\"alipay\"}                               | /clientId",
        "{\"scheme\":\"wechatpay\",\"headerPrefix\":\"ebb\"} | /headerPrefix",
        "{\"share\":101}                                     | /share",
        "{\"share\":100,\"wholeIn\":\"P1D\"}                  | /wholeIn",
        "{\"wholeIn\":\"PT1S\"}                                | /wholeIn",
      })
  void what_breaks_a_rule_is_refused_where_it_stands(String body, String pointer) {
    Reply refused = api.post(destination("ruled") + "/keys", body);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
    assertThat(refused.body()).doesNotContain("MfKQ9r8GKYqrTwjUPD8I");
  }

  @Test
  void a_node_without_a_key_of_its_own_says_what_it_needs() {
    try (ApiServer bare = ApiServer.withoutSecrets()) {
      bare.put("/v1/destinations/bare", PLAIN);

      Reply refused = bare.post("/v1/destinations/bare/keys", "{}");

      assertThat(refused.field("code")).isEqualTo("no_secrets_key");
      assertThat(refused.body()).contains("EBB_SECRETS_KEY");
    }
  }
}
