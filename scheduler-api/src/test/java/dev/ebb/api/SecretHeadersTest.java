package dev.ebb.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.SecretHeaders;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.json.DestinationJson;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The secret headers of destinations, in the database. */
class SecretHeadersTest {
  private static final String SECRET = "s3cret-of-acme";
  private static final String WITH_SECRETS =
      """
      {
        "url": "https://acme.example/notify",
        "headers": {
          "Authorization": "Bearer s3cret-of-acme",
          "X-Api-Key": "s3cret-of-acme",
          "X-Callback": "https://back.example/?order=7&token=s3cret-of-acme",
          "X-Shop": "7"
        }
      }
      """;

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply patch(String path, String patch) {
    return api.send(
        api.request(path)
            .header("Content-Type", "application/merge-patch+json")
            .header("If-Match", "*")
            .method("PATCH", BodyPublishers.ofString(patch)));
  }

  private static String row(ApiServer of, String name) {
    return of.text("select destination::text from ebb.queue where name = '" + name + "'");
  }

  private static Map<String, String> delivered(String name) {
    Destination stored = requireNonNull(DestinationJson.stored(row(api, name)));
    return SecretHeaders.open(name, stored, TestSecrets.BOX).headers();
  }

  /** The tables in which a text stands, also as base64 or bytes. */
  private static List<String> tablesWith(String text) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = api.connect();
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        String rows = "select string_agg(t::text, ' ') from %s t".formatted(table);
        try (ResultSet row = statement.executeQuery(rows)) {
          row.next();
          String all = String.valueOf(row.getString(1));
          byte[] bytes = text.getBytes(UTF_8);
          if (all.contains(text)
              || all.contains(HexFormat.of().formatHex(bytes))
              || all.contains(Base64.getEncoder().withoutPadding().encodeToString(bytes))) {
            found.add(table);
          }
        }
      }
    }
    return found;
  }

  private static List<String> tables(Statement statement) throws SQLException {
    List<String> tables = new ArrayList<>();
    String all =
        "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'ebb'";
    try (ResultSet row = statement.executeQuery(all)) {
      while (row.next()) {
        tables.add(row.getString(1));
      }
    }
    return tables;
  }

  @Test
  void no_table_has_a_secret_in_clear() throws SQLException {
    String path = "/v1/destinations/silent";
    // Other tests store theirs in clear.
    String secret = "hidden-from-all";
    api.put(path, WITH_SECRETS.replace(SECRET, secret));
    String key = api.post(path + "/keys", "{}").field("secret").substring(6);
    assertThat(patch(path, "{\"headers\":{\"X-Token\":\"hidden-from-all\"}}").status())
        .isEqualTo(200);
    assertThat(api.post(path + "/test", "{}").status()).isEqualTo(201);
    Reply job =
        api.post("/v1/jobs", "{\"kind\":\"http\",\"destination\":\"silent\",\"payload\":{}}");
    assertThat(api.get("/v1/jobs/" + job.field("id") + "/export").status()).isEqualTo(200);

    assertThat(tablesWith(secret)).isEmpty();
    assertThat(tablesWith(key)).isEmpty();
    assertThat(tablesWith("acme.example")).as("what is no secret").contains("ebb.queue");
    assertThat(delivered("silent"))
        .containsEntry("Authorization", "Bearer " + secret)
        .containsEntry("X-Callback", "https://back.example/?order=7&token=" + secret)
        .containsEntry("X-Token", secret)
        .containsEntry("X-Shop", "7");
  }

  @Test
  void answers_show_of_a_sealed_header_what_they_show_of_a_clear_one() {
    Reply sealed = api.put("/v1/destinations/shown", WITH_SECRETS);
    String tag = api.get("/v1/destinations/shown").header("etag");
    api.execute(
        "update ebb.queue set destination = destination || '%s' where name = 'shown'"
            .formatted(WITH_SECRETS));
    Reply clear = api.get("/v1/destinations/shown");

    assertThat(clear.header("etag")).isEqualTo(tag);
    assertThat(clear.json().path("headers")).isEqualTo(sealed.json().path("headers"));
    assertThat(clear.json().at("/headers/X-Callback").asString())
        .isEqualTo("https://back.example/?order=7&token=***");
    assertThat(clear.field("version")).isEqualTo(sealed.field("version"));
  }

  @Test
  void what_an_older_version_stored_in_clear_is_sealed_by_the_next_write() {
    api.put("/v1/destinations/older", "{\"url\":\"https://acme.example/\"}");
    api.execute(
        "update ebb.queue set destination = destination || '%s' where name = 'older'"
            .formatted(WITH_SECRETS));
    assertThat(delivered("older")).containsEntry("X-Api-Key", SECRET);

    Reply patched = patch("/v1/destinations/older", "{\"maxConcurrency\":7}");

    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    assertThat(row(api, "older")).doesNotContain(SECRET);
    assertThat(delivered("older")).containsEntry("X-Api-Key", SECRET);
  }

  @Test
  void a_patch_keeps_what_it_does_not_name_and_a_put_of_the_same_changes_nothing() {
    api.put("/v1/destinations/kept", WITH_SECRETS);
    String before = row(api, "kept");

    Reply same = api.put("/v1/destinations/kept", WITH_SECRETS, "If-Match", "*");
    assertThat(same.status()).isEqualTo(200);
    assertThat(row(api, "kept")).isEqualTo(before);
    Reply one = patch("/v1/destinations/kept", "{\"headers\":{\"x-api-key\":null}}");
    assertThat(one.json().path("headers").propertyNames())
        .containsExactly("Authorization", "X-Callback", "X-Shop");
    Reply all = patch("/v1/destinations/kept", "{\"headers\":null}");
    assertThat(all.json().path("headers")).isEmpty();
    assertThat(delivered("kept")).isEmpty();
  }

  @Test
  void a_patch_counts_the_secret_headers_that_stay() {
    api.put("/v1/destinations/many", WITH_SECRETS);
    String headers =
        IntStream.range(0, 17)
            .mapToObj("\"X-%s\":\"1\""::formatted)
            .collect(Collectors.joining(",", "{\"headers\":{", "}}"));

    Reply refused = patch("/v1/destinations/many", headers);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo("/headers");
    assertThat(refused.body()).contains("must be at most 20 with the 3 that stay");
    Reply fits = patch("/v1/destinations/many", headers.replace("{\"X-0\"", "{\"X-Shop\""));
    assertThat(fits.status()).as(fits.body()).isEqualTo(200);
  }

  @Test
  void a_long_header_is_no_secret() {
    String plain = "a".repeat(1500);
    String body = "{\"url\":\"https://a.example/\",\"headers\":{\"X-Long\":\"%s\"}}";

    api.put("/v1/destinations/long", body.formatted(plain));
    api.put("/v1/destinations/late-secret", body.formatted(plain + "?token=" + SECRET));

    assertThat(row(api, "long")).contains(plain);
    assertThat(row(api, "late-secret")).contains("sealed").doesNotContain(SECRET);
  }

  @Test
  void nobody_hands_in_what_is_sealed() {
    Reply refused =
        api.put(
            "/v1/destinations/forged",
            "{\"url\":\"https://a.example/\",\"headers\":{\"X-A\":{\"sealed\":\"1.a\"}}}");

    assertThat(refused.status()).isEqualTo(400);
  }

  @Test
  void a_cluster_without_a_key_keeps_them_in_clear_until_one_seals() {
    try (ApiServer bare = ApiServer.withoutSecrets();
        ApiServer other = ApiServer.start(bare.config())) {
      Reply created = bare.put("/v1/destinations/bare", WITH_SECRETS);
      assertThat(created.status()).as(created.body()).isEqualTo(201);
      assertThat(row(bare, "bare")).contains(SECRET);

      other.put("/v1/destinations/sealed", WITH_SECRETS);

      Reply refused = bare.put("/v1/destinations/late", WITH_SECRETS);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.field("code")).isEqualTo("no_secrets_key");
      Reply patched =
          bare.send(
              bare.request("/v1/destinations/sealed")
                  .header("Content-Type", "application/merge-patch+json")
                  .header("If-Match", "*")
                  .method("PATCH", BodyPublishers.ofString("{\"maxConcurrency\":7}")));
      assertThat(patched.status()).as("no secret is given").isEqualTo(200);
      assertThat(patched.json().at("/headers/Authorization").asString()).isEqualTo("***");
    }
  }
}
