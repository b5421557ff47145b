package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A node that is read-only takes no change of the contract, and serves every read. */
class ReadOnlyTest {
  private static final String ADMIN = ApiServer.ADMIN;
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();

  private static ApiServer writable;
  private static ApiServer readOnly;
  private static String job;

  @BeforeAll
  static void start() {
    AccessConfig access = AccessConfig.of(ADMIN, List.of());
    writable = ApiServer.closed(DATABASE, access);
    readOnly = ApiServer.closed(DATABASE, access.withReadOnly(true));
    job = ask(writable, "POST", "/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");
    ask(writable, "GET", "/v1/jobs/" + job + "/export", "");
    ask(writable, "PUT", "/v1/queues/q", "{\"paused\":false}");
    ask(
        writable,
        "PUT",
        "/v1/schedules/s",
        "{\"cron\":\"0 9 * * *\",\"job\":{\"kind\":\"a\",\"payload\":1}}");
    ask(writable, "PUT", "/v1/policies/p", "{\"policy\":\"sip\"}");
    ask(writable, "PUT", "/v1/kinds/k", "{\"labelsFrom\":{\"order\":\"/order\"}}");
  }

  @AfterAll
  static void stop() {
    readOnly.close();
    writable.close();
  }

  private record Operation(String method, String path, JsonNode contract) {
    List<String> scopes() {
      return contract.at("/security/0/token").valueStream().map(JsonNode::asString).toList();
    }

    boolean changes() {
      return !method.equals("GET") && !scopes().stream().allMatch(s -> s.endsWith(":read"));
    }

    /** An example of the contract, where it has one. */
    String body() {
      JsonNode examples = contract.at("/requestBody/content/application~1json/examples");
      return examples.isEmpty() ? "{}" : examples.iterator().next().path("value").toString();
    }
  }

  private static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    JsonNode contract = ask(readOnly, "GET", "/v1/openapi.json", "").json();
    for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        String filled =
            path.getKey()
                .replace("{id}", job)
                .replace("/v1/events", "/v1/events?for=0s")
                .replace("{queue}", "q")
                .replace("{destination}", "q")
                .replace("{key}", "k")
                .replace("{link}", "l")
                .replace("{schedule}", "s")
                .replace("{kind}", "k")
                .replace("{policy}", "p")
                .replace("{n}", "1");
        String method = verb.getKey().toUpperCase(Locale.ROOT);
        operations.add(new Operation(method, filled, verb.getValue()));
      }
    }
    return operations;
  }

  private static Reply ask(ApiServer api, String method, String path, String body) {
    String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return api.send(
        api.request(path)
            .header("Authorization", "Bearer " + ADMIN)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body)));
  }

  /** Every row of every table. */
  private static String everything() {
    return writable.text(
        """
        select md5(string_agg(
          query_to_xml(format('select * from ebb.%I', tablename), true, false, '')::text,
          '' order by tablename))
        from pg_tables
        where schemaname = 'ebb'
        """);
  }

  @Test
  void every_change_of_the_contract_is_refused_and_changes_nothing() {
    String before = everything();
    int refused = 0;
    for (Operation operation : operations()) {
      if (operation.changes()) {
        Reply reply = ask(readOnly, operation.method(), operation.path(), operation.body());
        assertThat(reply.status()).as(operation.path() + reply.body()).isEqualTo(403);
        assertThat(reply.field("code")).as(operation.path()).isEqualTo("read_only");
        assertThat(reply.field("detail")).contains("EBB_READ_ONLY=true");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(25);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void what_changes_nothing_is_served() {
    for (Operation operation : operations()) {
      if (!operation.changes()) {
        Reply reply = ask(readOnly, operation.method(), operation.path(), operation.body());
        assertThat(reply.status()).as(operation.path() + reply.body()).isNotIn(401, 403, 500);
      }
    }
    Reply me = ask(readOnly, "GET", "/v1/me", "");
    assertThat(me.json().path("readOnly").asBoolean()).isTrue();
    assertThat(ask(writable, "GET", "/v1/me", "").json().path("readOnly").asBoolean()).isFalse();
  }

  @Test
  void where_nobody_needs_a_token_nobody_changes_anything_either() {
    DatabaseConfig database = TestPostgres.shared().newDatabase();
    AccessConfig open = AccessConfig.openToAll().withReadOnly(true);
    try (ApiServer api = ApiServer.closed(database, open)) {
      Reply submit = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}");

      assertThat(submit.field("code")).isEqualTo("read_only");
      assertThat(api.stored()).isZero();
      assertThat(api.get("/v1/jobs").status()).isEqualTo(200);
    }
  }

  @Test
  void a_stranger_is_not_told_that_a_node_is_read_only() {
    assertThat(readOnly.post("/v1/jobs", "{}").status()).isEqualTo(401);
  }

  @Test
  void control_without_the_switch_the_same_requests_are_taken() {
    String before = everything();
    int taken = 0;
    for (Operation operation : operations()) {
      if (operation.changes() && !operation.method().equals("DELETE")) {
        Reply reply = ask(writable, operation.method(), operation.path(), operation.body());
        assertThat(reply.status()).as(operation.path() + reply.body()).isNotIn(401, 403, 500);
        taken += reply.status() < 300 ? 1 : 0;
      }
    }
    assertThat(taken).isGreaterThan(5);
    assertThat(everything()).isNotEqualTo(before);
  }
}
