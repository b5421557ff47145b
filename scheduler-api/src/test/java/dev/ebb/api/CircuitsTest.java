package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.db.queue.Circuits;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The circuits of destinations. */
class CircuitsTest {
  private static ApiServer api;
  private static int made;

  private final String name = "acme-" + ++made;
  private final String path = "/v1/destinations/" + name;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private void create(String circuit) {
    Reply reply =
        api.put(path, "{\"url\":\"https://acme.example/\",\"circuit\":%s}".formatted(circuit));
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
  }

  private void tell(int bad, Duration hold) throws SQLException {
    Ballot ballot = new Ballot(0, 1, bad, 0, 0, Set.of(), bad == 0 ? null : "http_503");
    new Circuits(api.database()).tell(name, ballot, hold, 0.5);
  }

  private String job() {
    return api.post(
            "/v1/jobs",
            "{\"kind\":\"http\",\"destination\":\"%s\",\"payload\":{\"body\":1}}".formatted(name))
        .field("id");
  }

  private JsonNode reason(String job) {
    return api.get("/v1/jobs/" + job + "/waiting").json().at("/reasons/0");
  }

  @Test
  void a_destination_has_a_circuit_with_the_usual_rule_unless_it_has_another() {
    create("{\"failuresInARow\":7,\"openFor\":\"PT1M\"}");

    JsonNode rule = api.get(path).json().path("circuit");
    assertThat(rule.path("enabled").asBoolean()).isTrue();
    assertThat(rule.path("failuresInARow").asInt()).isEqualTo(7);
    assertThat(rule.path("openFor").asString()).isEqualTo("PT1M");
    assertThat(rule.path("minVotes").asInt()).isEqualTo(20);
    Reply circuit = api.get(path + "/circuit");
    assertThat(circuit.field("state")).isEqualTo("closed");
    assertThat(circuit.json().path("rule")).isEqualTo(rule);
    assertThat(circuit.json().has("openSince")).isFalse();
    assertThat(circuit.json().has("heldUntil")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"failureRatio\":0}', /circuit/failureRatio",
    "'{\"openFor\":\"PT2H\"}', /circuit/openFor",
    "'{\"longestOpen\":\"PT1S\"}', /circuit/longestOpen",
    "'{\"ratio\":1}', /circuit/ratio",
    "'7', /circuit"
  })
  void a_rule_that_makes_no_sense_is_refused_by_its_field(String circuit, String pointer) {
    Reply refused =
        api.put(path, "{\"url\":\"https://acme.example/\",\"circuit\":%s}".formatted(circuit));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.firstPointer()).isEqualTo(pointer);
  }

  @Test
  void an_open_one_says_since_when_until_when_and_why() throws SQLException {
    create("{}");
    String job = job();
    tell(19, Duration.ZERO);

    JsonNode circuit = api.get(path + "/circuit").json();

    assertThat(circuit.path("state").asString()).isEqualTo("open");
    assertThat(circuit.path("reason").asString()).isEqualTo("http_503");
    assertThat(circuit.path("badVotes").asInt()).isEqualTo(19);
    assertThat(circuit.path("goodVotes").asInt()).isEqualTo(1);
    Instant until = Instant.parse(circuit.path("heldUntil").asString());
    assertThat(until).isEqualTo(Instant.parse(circuit.path("since").asString()).plusSeconds(27));
    assertThat(reason(job).path("code").asString()).isEqualTo("circuit_open");
    assertThat(reason(job).path("sentence").asString())
        .startsWith("The destination " + name + " is failing. One job will try it at ");
    assertThat(api.get("/v1/jobs/" + job + "/waiting").json().path("reasons")).hasSize(2);
    assertThat(api.get("/v1/findings").body()).contains("circuit_open", name);
    assertThat(api.get("/v1/audit?subject=" + name).body())
        .contains("destination.circuit_opened", "http_503");
    assertThat(api.get("/v1/circuits").body()).contains(name);
  }

  @Test
  void people_have_it_tried_at_once() throws SQLException {
    create("{}");
    tell(19, Duration.ZERO);

    Reply probed = api.post(path + "/probe", "{\"reason\":\"They say that it is mended\"}");

    assertThat(probed.status()).isEqualTo(200);
    assertThat(probed.json().has("heldUntil")).isFalse();
    assertThat(api.get("/v1/audit?subject=" + name).body())
        .contains("destination.probe", "They say that it is mended");
    assertThat(api.post(path + "/probe", "{}").field("state")).isEqualTo("open");
  }

  @Test
  void a_destination_that_asked_to_be_left_alone_is_held() throws SQLException {
    create("{}");
    String job = job();
    tell(0, Duration.ofMinutes(3));

    assertThat(api.get(path + "/circuit").field("state")).isEqualTo("held");
    assertThat(reason(job).path("code").asString()).isEqualTo("destination_held");
    String expected = api.get("/v1/jobs/" + job + "/waiting").json().path("expectedAt").asString();
    assertThat(Instant.parse(expected)).isAfter(Instant.now().plusSeconds(100));
  }

  @Test
  void a_destination_without_one_is_never_held() throws SQLException {
    create("{\"enabled\":false}");
    tell(19, Duration.ofMinutes(3));

    assertThat(api.get(path + "/circuit").field("state")).isEqualTo("closed");
    assertThat(api.post(path + "/probe", "{}").field("state")).isEqualTo("closed");
    assertThat(api.get(path).json().at("/circuit/enabled").asBoolean()).isFalse();
    assertThat(api.get("/v1/destinations/nobody/circuit").status()).isEqualTo(404);
    assertThat(api.post("/v1/destinations/nobody/probe", "{}").status()).isEqualTo(404);
  }

  @Test
  void a_patch_of_null_gives_it_the_usual_rule_again() {
    create("{\"enabled\":false}");

    Reply patched =
        api.send(
            api.request(path)
                .header("Content-Type", "application/merge-patch+json")
                .header("If-Match", "*")
                .method("PATCH", BodyPublishers.ofString("{\"circuit\":null}")));

    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    assertThat(patched.json().at("/circuit/enabled").asBoolean()).isTrue();
  }
}
