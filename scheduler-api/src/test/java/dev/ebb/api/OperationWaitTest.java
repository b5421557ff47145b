package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.operation.OperationCarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads of one operation that wait for its end, or for another state. */
class OperationWaitTest {
  private static final String ASKED =
      """
      select count(*)
      from pg_stat_activity
      where query like '%select o.id, o.state from ebb.operation%'
        and datname = current_database()
        and pid <> pg_backend_pid()
      """;

  /** Of this test alone: sessions of the one before may still be there, and have asked. */
  private final DatabaseConfig database = TestPostgres.shared().newDatabase();

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(database);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private String started() {
    Reply started =
        api.post("/v1/operations", "{\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]}}");
    assertThat(started.status()).as(started.body()).isEqualTo(202);
    return started.header("location");
  }

  private CompletableFuture<Reply> asking(String path) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.complete(api.get(path)));
    return answer;
  }

  private CompletableFuture<Reply> waiting(String path) throws Exception {
    CompletableFuture<Reply> answer = asking(path);
    Await.until("it asks for states", () -> api.number(ASKED) > 0);
    return answer;
  }

  private static Reply answer(CompletableFuture<Reply> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void a_wait_ends_when_the_operation_does() throws Exception {
    CompletableFuture<Reply> answer = waiting(started() + "?wait=60s");
    assertThat(answer).isNotDone();

    try (Database own = TestPostgres.open(database)) {
      OperationCarrier carrier = new OperationCarrier(own);
      while (carrier.step().isPresent()) {}
    }

    assertThat(answer(answer).field("state")).isEqualTo("completed");
  }

  @Test
  void a_wait_ends_when_the_state_is_another() throws Exception {
    String operation = started();
    CompletableFuture<Reply> pausing = waiting(operation + "?wait=60s");
    api.post(operation + "/pause");

    assertThat(answer(pausing).field("state")).isEqualTo("paused");
  }

  @Test
  void a_wait_ends_after_its_time_or_at_once_where_nothing_can_come() {
    String operation = started();
    assertThat(api.get(operation + "?wait=PT0.7S").field("state")).isEqualTo("running");

    api.post(operation + "/cancel");

    assertThat(api.get(operation + "?wait=60s").field("state")).isEqualTo("cancelled");
    assertThat(api.get("/v1/operations/" + UUID.randomUUID() + "?wait=60s").status())
        .isEqualTo(404);
  }

  @Test
  void an_operation_that_is_gone_is_not_found() throws Exception {
    CompletableFuture<Reply> answer = waiting(started() + "?wait=60s");

    api.execute("delete from ebb.operation");

    assertThat(answer(answer).field("code")).isEqualTo("operation_not_found");
  }

  @Test
  void waits_hold_no_connection_however_many_they_are() throws Exception {
    String operation = started();
    List<CompletableFuture<Reply>> answers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      answers.add(asking(operation + "?wait=60s"));
    }
    Await.until("they wait", () -> api.number(ASKED) > 0);

    api.post(operation + "/cancel");

    for (CompletableFuture<Reply> answer : answers) {
      assertThat(answer(answer).field("state")).isEqualTo("cancelled");
    }
  }

  @Test
  void a_wait_ends_when_the_server_stops() throws Exception {
    CompletableFuture<Reply> answer = waiting(started() + "?wait=60s");

    api.closeApi();

    assertThat(answer(answer).status()).isEqualTo(200);
  }

  @Test
  void a_wait_is_a_duration_of_at_most_a_minute() {
    for (String wait : new String[] {"61s", "x", "5", "-1s"}) {
      assertThat(api.get(started() + "?wait=" + wait).firstPointer()).isEqualTo("wait");
    }
  }
}
