package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a destination has of its own for TLS. */
class DestinationTlsTest {
  private static final String PLAIN = "{\"url\":\"https://plain.example/\"}";

  @TempDir private static Path directory;
  private static ApiServer api;
  private static String own;
  private static String key;
  private static String other;
  private static String otherKey;

  @BeforeAll
  static void start() throws Exception {
    KeyStore pairs = KeyStore.getInstance("PKCS12");
    pairs.load(new ByteArrayInputStream(pairs()), "changeit".toCharArray());
    own = pem("CERTIFICATE", pairs.getCertificate("own"));
    key = pem("PRIVATE KEY", pairs.getKey("own", "changeit".toCharArray()).getEncoded());
    other = pem("CERTIFICATE", pairs.getCertificate("other"));
    otherKey = pem("PRIVATE KEY", pairs.getKey("other", "changeit".toCharArray()).getEncoded());
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  /** Two self-signed certificates, of an EC and of an RSA key. */
  private static byte[] pairs() throws Exception {
    Path file = directory.resolve("pairs.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    for (List<String> one : List.of(List.of("own", "EC"), List.of("other", "RSA"))) {
      Process made =
          new ProcessBuilder(
                  keytool,
                  "-genkeypair",
                  "-alias",
                  one.getFirst(),
                  "-keyalg",
                  one.getLast(),
                  "-dname",
                  "CN=" + one.getFirst(),
                  "-validity",
                  one.getFirst().equals("own") ? "29" : "31",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  file.toString(),
                  "-storepass",
                  "changeit")
              .redirectErrorStream(true)
              .start();
      String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(made.waitFor()).as(said).isZero();
    }
    return Files.readAllBytes(file);
  }

  private static String pem(String label, Certificate certificate) throws Exception {
    return pem(label, certificate.getEncoded());
  }

  private static String pem(String label, byte[] bytes) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }

  private static String destination(String name) {
    api.set("/v1/destinations/" + name, PLAIN);
    return "/v1/destinations/" + name;
  }

  private static Reply put(String path, String... fields) {
    Map<String, String> body = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      body.put(fields[i], fields[i + 1]);
    }
    return api.put(path + "/tls", JsonMapper.shared().writeValueAsString(body));
  }

  private static String secret() {
    return key.lines().skip(1).findFirst().orElseThrow();
  }

  @Test
  void a_private_key_is_stored_encrypted_and_never_shown() throws Exception {
    String path = destination("mutual");

    Reply set = put(path, "trust", other + own, "certificate", own, "key", key);

    assertThat(set.status()).as(set.body()).isEqualTo(200);
    JsonNode shown = api.get(path).json().path("tls");
    assertThat(shown).isEqualTo(set.json());
    assertThat(shown.path("trust").findValuesAsString("subject"))
        .containsExactly("CN=other", "CN=own");
    assertThat(shown.at("/certificate/0/subject").asString()).isEqualTo("CN=own");
    assertThat(shown.at("/certificate/0/sha256").asString()).matches("[0-9a-f]{64}");
    String row = api.text("select destination::text from ebb.queue where name = 'mutual'");
    assertThat(row).contains("sealedKey").doesNotContain(secret());
    assertThat(set.body() + api.get(path).body() + api.get("/v1/destinations").body())
        .doesNotContain("sealed", "BEGIN", secret());
  }

  @Test
  void the_audit_says_that_it_changed_and_not_what() {
    String path = destination("audited");
    put(path, "certificate", own, "key", key, "reason", "theirs is new");

    String audit = api.get("/v1/audit?subject=audited").body();

    assertThat(audit).contains("destination.tls", "theirs is new", "\"field\":\"tls\"");
    assertThat(audit).doesNotContain("sealed", "BEGIN", secret());
  }

  @Test
  void it_outlasts_changes_of_the_destination_its_queue_and_its_keys() {
    String path = destination("kept");
    put(path, "trust", own);

    api.put(path, PLAIN, "If-Match", "*");
    Reply patched =
        api.send(
            api.request(path)
                .header("Content-Type", "application/merge-patch+json")
                .header("If-Match", "*")
                .method("PATCH", BodyPublishers.ofString("{\"maxConcurrency\":7}")));
    api.put("/v1/queues/kept", "{\"paused\":true}", "If-Match", "*");
    String signing = api.post(path + "/keys", "{}").field("id");

    assertThat(patched.json().at("/tls/trust/0/subject").asString()).isEqualTo("CN=own");
    assertThat(api.get(path).json().path("tls")).isEqualTo(patched.json().path("tls"));
    put(path, "trust", other);
    assertThat(api.get(path).json().at("/tls/trust/0/subject").asString()).isEqualTo("CN=other");
    assertThat(api.get(path).json().at("/signing/0/id").asString()).isEqualTo(signing);
    assertThat(api.send(api.request(path + "/tls").DELETE()).status()).isEqualTo(204);
    assertThat(api.get(path).json().has("tls")).isFalse();
    assertThat(api.get(path).json().at("/signing/0/id").asString()).isEqualTo(signing);
  }

  @Test
  void what_breaks_a_rule_is_refused_where_it_stands() throws Exception {
    String path = destination("ruled");
    refused("/trust", put(path));
    refused("/trust", put(path, "trust", ""));
    refused("/trust", put(path, "trust", pem("CERTIFICATE", new byte[] {1, 2, 3})));
    refused("/trust", put(path, "trust", own.repeat(11)));
    refused("/certificate", put(path, "certificate", own + key, "key", key));
    refused("/key", put(path, "certificate", own));
    refused("/key", put(path, "key", key));
    refused("/key", put(path, "certificate", own, "key", otherKey));
    refused("/key", put(path, "certificate", other + own, "key", key));
    refused("/key", put(path, "certificate", own, "key", "secret"));
    assertThat(put("/v1/destinations/nothing", "trust", own).field("code"))
        .isEqualTo("destination_not_found");
    assertThat(api.text("select (destination ? 'tls')::text from ebb.queue where name = 'ruled'"))
        .isEqualTo("false");
  }

  @Test
  void a_finding_names_a_client_certificate_that_ends_within_a_month_until_another_is_there() {
    api.execute("update ebb.queue set destination = destination - 'tls'");
    String path = destination("ending");
    put(path, "trust", own);
    assertThat(endings()).isEmpty();

    put(path, "certificate", own, "key", key);
    assertThat(endings()).containsExactly("ending");

    put(path, "certificate", other, "key", otherKey);
    assertThat(endings()).isEmpty();
  }

  private static List<String> endings() {
    List<String> named = new ArrayList<>();
    for (JsonNode one : api.get("/v1/findings").json().path("items")) {
      if (one.path("code").asString().equals("certificate_ends")) {
        named.add(one.path("queue").asString());
      }
    }
    return named;
  }

  private static void refused(String pointer, Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
    assertThat(reply.body()).doesNotContain(secret());
  }

  @Test
  void a_node_without_a_key_of_its_own_takes_authorities_and_no_private_keys() {
    try (ApiServer bare = ApiServer.withoutSecrets()) {
      bare.put("/v1/destinations/bare", PLAIN);
      JsonMapper json = JsonMapper.shared();
      String tls = "/v1/destinations/bare/tls";

      assertThat(bare.put(tls, json.writeValueAsString(Map.of("trust", own))).status())
          .isEqualTo(200);
      Reply refused =
          bare.put(tls, json.writeValueAsString(Map.of("certificate", own, "key", key)));
      assertThat(refused.field("code")).isEqualTo("no_secrets_key");
    }
  }
}
