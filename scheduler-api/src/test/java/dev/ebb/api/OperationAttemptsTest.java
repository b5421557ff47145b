package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.operation.OperationCarrier;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Operations that are told whether the attempts of their jobs count from 0. */
class OperationAttemptsTest {
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();

  private static ApiServer api;
  private static Schemas schemas;

  @BeforeAll
  static void start() {
    api = ApiServer.start(DATABASE);
    schemas = new Schemas(api.get("/v1/openapi.json").json());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static void carryOut() throws SQLException {
    try (Database database = TestPostgres.open(DATABASE)) {
      OperationCarrier carrier = new OperationCarrier(database);
      while (carrier.step().isPresent()) {}
    }
  }

  private static JsonNode shown(Reply reply, int status) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(schemas.violations(schemas.named("Operation"), reply.json())).isEmpty();
    return reply.json();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // action | params | whether attempts are reset | what the audit tells
        "retry | {} | false | operation.retry",
        "retry | {\"resetAttempts\":false} | false | operation.retry",
        "retry | {\"resetAttempts\":true} | true | operation.retry_reset_attempts",
        "redrive | {} | true | operation.redrive",
        "redrive | {\"resetAttempts\":true,\"warmUp\":false} | true | operation.redrive",
        "redrive | {\"resetAttempts\":false} | false | operation.redrive_keep_attempts",
      })
  void attempts_are_kept_or_reset_as_it_is_told_and_by_default_as_by_the_verb_on_one_job(
      String action, String params, boolean reset, String word) throws SQLException {
    String job =
        api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"delay\":\"PT1H\"}").field("id");
    api.execute("update ebb.job set attempt = 2 where id = '" + job + "'");
    if (action.equals("redrive")) {
      die(job);
    }

    Reply started =
        api.post(
            "/v1/operations",
            "{\"action\":\"%s\",\"ids\":[\"%s\"],\"params\":%s}".formatted(action, job, params));
    carryOut();

    assertThat(shown(started, 202).path("resetAttempts").asBoolean()).isEqualTo(reset);
    JsonNode ended = shown(api.get(started.header("location")), 200);
    assertThat(ended.path("resetAttempts").asBoolean()).isEqualTo(reset);
    assertThat(ended.path("done").asInt()).as(ended.toString()).isOne();
    assertThat(api.get("/v1/jobs/" + job).json().path("attempt").asInt(-1))
        .isEqualTo(reset ? 0 : 2);
    assertThat(
            api.get("/v1/audit?subject=" + started.field("id")).json().findValuesAsString("action"))
        .containsExactly("operation.complete", word);
  }

  private static void die(String job) {
    api.execute(
        """
        with dying as (
          delete from ebb.job where id = '%s' returning *
        )
        insert into ebb.dead_letter (
          id, reason, failure_reason, failure, started_at, node, run_at, created_at, version,
          attempt, max_attempts, priority, queue, kind, payload)
        select
          id, 'max_attempts', 'http_500', 'no', now(), 'n1', run_at, created_at, version,
          attempt, max_attempts, priority, queue, kind, payload
        from dying
        """
            .formatted(job));
  }

  @Test
  void what_starts_no_attempts_shows_nothing_of_them() {
    Reply started =
        api.post("/v1/operations", "{\"action\":\"hold\",\"filter\":{\"queue\":[\"nowhere\"]}}");

    assertThat(shown(started, 202).has("resetAttempts")).isFalse();
  }

  @Test
  void whether_to_reset_attempts_is_said_with_true_or_false_for_what_starts_some() {
    String one = ",\"ids\":[\"" + ApiServer.UNKNOWN_ID + "\"],\"params\":{\"resetAttempts\":";
    for (String member :
        List.of(
            "\"retry\"" + one + "\"yes\"}",
            "\"cancel\"" + one + "true}",
            "\"hold\"" + one + "false}")) {
      Reply refused = api.post("/v1/operations", "{\"action\":" + member + "}");

      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.firstPointer()).isEqualTo("/params/resetAttempts");
    }
  }
}
