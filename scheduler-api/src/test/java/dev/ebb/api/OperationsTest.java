package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.OrderedJobs;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.operation.OperationCarrier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Operations over REST. */
class OperationsTest {
  private static final String ADMIN = "an-admin's-token-of-32-characters";
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(DATABASE);
    api.execute("truncate ebb.operation, ebb.operation_item, ebb.dead_letter, ebb.job");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void dead(String queue, int many) {
    api.execute(
        """
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select uuidv7(), 'r', 'timeout', 'no', now(), 'n', now(), now(), now(), 1, 3, 3, 5, '%s',
          'a', '{"card":"secret"}'
        from generate_series(1, %s)
        """
            .formatted(queue, many));
  }

  private Reply operate(String members) {
    return api.post("/v1/operations", "{\"action\":\"redrive\"," + members + "}");
  }

  private Reply preview(String members) {
    return api.post("/v1/operations/preview", "{\"action\":\"redrive\"," + members + "}");
  }

  private void carryOut() throws SQLException {
    try (Database database = TestPostgres.open(DATABASE)) {
      OperationCarrier carrier = new OperationCarrier(database);
      while (carrier.step().isPresent()) {}
    }
  }

  @Test
  void an_operation_is_started_carried_out_and_reported() throws SQLException {
    dead("q", 3);

    Reply started =
        operate("\"filter\":{\"queue\":[\"q\"]},\"expectedCount\":3,\"reason\":\"mended\"");

    assertThat(started.status()).as(started.body()).isEqualTo(202);
    assertThat(started.json().path("matched").asInt()).isEqualTo(3);
    assertThat(started.json().path("matchedExact").asBoolean()).isTrue();
    assertThat(started.field("reason")).isEqualTo("mended");
    assertThat(started.field("query")).startsWith("state:dead_letter queue:q created<");
    carryOut();
    String location = started.header("location");
    assertThat(api.get(location).field("state")).isEqualTo("completed");
    assertThat(api.get(location).json().path("done").asInt()).isEqualTo(3);
    Reply report = api.get(location + "/report");
    assertThat(report.header("content-type")).isEqualTo("text/csv;charset=UTF-8");
    assertThat(report.body().split("\r\n"))
        .hasSize(4)
        .startsWith("job,queue,result,reason,stage,actedAt,outcome,uniqueKey,subject");
    assertThat(report.body()).contains(",q,done,,1,");
  }

  @Test
  void an_operation_that_pauses_after_its_first_stage_shows_its_jobs() throws SQLException {
    dead("q", 3);
    Reply started = operate("\"filter\":{\"queue\":[\"q\"]},\"stages\":[1],\"pauseAfterStages\":1");
    String location = started.header("location");
    carryOut();
    api.execute("delete from ebb.job");
    api.execute("update ebb.operation set due_at = now() - interval '1 second'");
    carryOut();

    assertThat(api.get(location).field("state")).isEqualTo("paused");
    assertThat(api.get(location).json().path("pauseAfterStages").asInt()).isOne();
    JsonNode items = api.get(location + "/items?stage=1").json().path("items");
    assertThat(items.size()).isOne();
    assertThat(items.path(0).path("result").asString()).isEqualTo("done");
    assertThat(items.path(0).path("queue").asString()).isEqualTo("q");
    assertThat(api.get(location + "/items?stage=2").json().path("items").size()).isZero();
    assertThat(api.get(location + "/items?stage=12").status()).isEqualTo(400);
    for (String alone :
        List.of("\"pauseAfterStages\":1", "\"stages\":[1],\"pauseAfterStages\":11")) {
      assertThat(operate("\"filter\":{\"queue\":[\"q\"]}," + alone).firstPointer())
          .as(alone)
          .isEqualTo("/pauseAfterStages");
    }
  }

  @Test
  void a_report_of_many_pages_has_each_job_once() throws SQLException {
    dead("q", 4_500);
    Reply started = operate("\"filter\":{},\"allowAll\":true");
    carryOut();

    String[] lines = api.get(started.header("location") + "/report").body().split("\r\n");

    assertThat(lines).hasSize(4_501).doesNotHaveDuplicates();
  }

  @Test
  void a_report_that_cannot_be_read_to_its_end_is_cut_off() throws IOException {
    String id = operate("\"filter\":{\"queue\":[\"q\"]}").field("id");
    api.execute(
        """
        insert into ebb.operation_item (operation, job_id, queue, result)
        select '%s', gen_random_uuid(), 'q', 'done' from generate_series(1, 200000)
        """
            .formatted(id));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      String request =
          "GET /v1/operations/%s/report HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n"
              .formatted(id, api.port());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      // The rest of it is more than the sockets hold.
      api.execute("alter table ebb.operation_item rename to gone");

      assertThat(rest(socket)).doesNotEndWith("\r\n0\r\n\r\n").hasSizeGreaterThan(1_000);
    } finally {
      api.execute("alter table if exists ebb.gone rename to operation_item");
    }
  }

  /** What comes until the connection ends, in whatever way. */
  private static String rest(Socket socket) {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(rest);
    } catch (IOException reset) {
      assertThat(reset.getMessage()).isNotNull();
    }
    return rest.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_preview_tells_what_it_would_cover_and_stores_nothing() {
    dead("q", 12);
    dead("r", 2);

    Reply reply = preview("\"filter\":{\"error\":\"TIMEOUT\"}");

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    JsonNode found = reply.json();
    assertThat(found.path("matched").asInt()).isEqualTo(14);
    assertThat(found.path("exact").asBoolean()).isTrue();
    assertThat(found.at("/byQueue/q").asInt()).isEqualTo(12);
    assertThat(found.at("/byQueue/r").asInt()).isEqualTo(2);
    assertThat(found.path("sample").size()).isEqualTo(10);
    assertThat(reply.body()).doesNotContain("secret");
    assertThat(api.number("select count(*) from ebb.operation")).isZero();
  }

  @Test
  void a_most_is_said_beforehand_and_kept() throws SQLException {
    dead("q", 5);
    String most = "\"filter\":{\"queue\":[\"q\"]},\"expectedCount\":5,\"maxJobs\":2";

    JsonNode preview = preview(most).json();
    Reply started = operate(most);
    carryOut();

    assertThat(preview.path("matched").asInt()).isEqualTo(5);
    assertThat(preview.path("maxJobs").asInt()).isEqualTo(2);
    assertThat(started.json().path("maxJobs").asInt()).isEqualTo(2);
    JsonNode ended = api.get(started.header("location")).json();
    assertThat(ended.path("state").asString()).isEqualTo("completed");
    assertThat(ended.path("matched").asInt()).isEqualTo(5);
    assertThat(ended.path("done").asInt()).isEqualTo(2);
    assertThat(api.number("select count(*) from ebb.dead_letter")).isEqualTo(3);
  }

  @Test
  void the_priority_of_many_jobs_is_set() throws SQLException {
    String job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").header("location");

    Reply started =
        api.post(
            "/v1/operations",
            "{\"action\":\"set_priority\",\"params\":{\"priority\":0},"
                + "\"filter\":{\"kind\":[\"a\"]}}");
    carryOut();

    assertThat(started.json().path("priority").asInt(-1)).as(started.body()).isZero();
    assertThat(api.get(job).json().path("priority").asInt(-1)).isZero();
    assertThat(api.get(started.header("location") + "/report").body()).contains(",default,done,,");
  }

  @Test
  void many_jobs_are_skipped_in_their_ordering_keys() throws SQLException {
    List<UUID> one = OrderedJobs.block(api.database(), "keyed", "order-1", 3);
    List<UUID> other = OrderedJobs.block(api.database(), "keyed-too", "order-2", 2);
    String plain = api.post("/v1/jobs", "{\"kind\":\"ordered\",\"payload\":1}").header("location");
    String first =
        """
        {"action":"skip","filter":{"kind":["ordered"],"state":["retrying","due"]}}
        """;

    assertThat(api.post("/v1/operations/preview", first).json().path("matched").asInt())
        .isEqualTo(3);
    Reply started = api.post("/v1/operations", first);
    carryOut();

    assertThat(started.status()).as(started.body()).isEqualTo(202);
    assertThat(api.get(started.header("location")).json().path("done").asInt()).isEqualTo(3);
    assertThat(phase(one.get(1))).isEqualTo("available");
    assertThat(phase(one.get(2))).isEqualTo("blocked");
    assertThat(phase(other.get(1))).isEqualTo("available");
    assertThat(api.get(plain).field("phase")).isEqualTo("available");
  }

  private String phase(UUID job) {
    return api.get("/v1/jobs/" + job).field("phase");
  }

  @Test
  void many_jobs_are_held_and_released() throws SQLException {
    String job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").header("location");
    String all = "\"filter\":{\"kind\":[\"a\"]}";

    api.post("/v1/operations", "{\"action\":\"hold\"," + all + "}");
    carryOut();
    assertThat(api.get(job).json().has("hold")).isTrue();
    Reply released = api.post("/v1/operations", "{\"action\":\"release\"," + all + "}");
    carryOut();

    assertThat(released.status()).as(released.body()).isEqualTo(202);
    assertThat(api.get(job).json().has("hold")).isFalse();
    assertThat(api.get(released.header("location")).json().path("done").asInt()).isOne();
  }

  @Test
  void a_preview_of_ids_counts_those_that_fit() {
    dead("q", 1);
    String job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");
    String ids = job + "\",\"" + ApiServer.UNKNOWN_ID;

    Reply reply =
        api.post("/v1/operations/preview", "{\"action\":\"cancel\",\"ids\":[\"" + ids + "\"]}");

    assertThat(reply.json().path("matched").asInt()).as(reply.body()).isOne();
    assertThat(reply.json().at("/byQueue/default").asInt()).isOne();
    assertThat(reply.json().at("/sample/0/id").asString()).isEqualTo(job);
  }

  @ParameterizedTest
  @CsvSource({"10, 202", "9, 409", "11, 202", "12, 409", "0, 409"})
  void a_count_that_is_not_as_expected_stops_it(int expected, int status) {
    dead("q", 10);

    Reply reply = operate("\"filter\":{\"queue\":[\"q\"]},\"expectedCount\":" + expected);

    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(api.number("select count(*) from ebb.operation")).isEqualTo(status == 202 ? 1 : 0);
    if (status == 409) {
      assertThat(reply.field("code")).isEqualTo("count_differs");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"q\":\"\"}", "{\"state\":[\"dead\"]}", "{\"q\":\"-state:available\"}"})
  void a_filter_that_covers_all_needs_to_say_so(String filter) {
    Reply refused = operate("\"filter\":" + filter);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.firstPointer()).isEqualTo("/allowAll");
    assertThat(operate("\"filter\":" + filter + ",\"allowAll\":true").status()).isEqualTo(202);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | /action",
        "{\"action\":\"redrives\"} | /action",
        "{\"action\":\"redrive\"} | /filter",
        "{\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]},\"ids\":[\""
            + ApiServer.UNKNOWN_ID
            + "\"]} | /filter",
        "{\"action\":\"redrive\",\"filter\":null,\"ids\":[]} | /filter",
        "{\"action\":\"redrive\",\"ids\":[\"x\"]} | /ids/0",
        "{\"action\":\"redrive\",\"ids\":[1]} | /ids/0",
        "{\"action\":\"redrive\",\"filter\":[]} | /filter",
        "{\"action\":\"redrive\",\"filter\":{\"queues\":[\"q\"]}} | /filter/queues",
        "{\"action\":\"redrive\",\"filter\":{\"queue\":\"q\"}} | /filter/queue",
        "{\"action\":\"redrive\",\"filter\":{\"queue\":[]}} | /allowAll",
        "{\"action\":\"redrive\",\"filter\":{\"queue\":[\"Q!\"]}} | /filter/queue",
        "{\"action\":\"redrive\",\"filter\":{\"q\":\"stat:dead\"}} | /filter/q",
        "{\"action\":\"redrive\",\"filter\":{\"attemptsGte\":-1}} | /filter/attemptsGte",
        "{\"action\":\"redrive\",\"filter\":{\"createdAfter\":\"x\"}} | /filter/createdAfter",
        "{\"action\":\"redrive\",\"filter\":{\"state\":[\"running\"]}} | /filter",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"rate\":\"fast\"} | /rate",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"rate\":50} | /rate",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"stages\":[0]} | /stages",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"stages\":[1.5]} | /stages/0",
        "{\"action\":\"cancel\",\"filter\":{\"key\":\"k\"},\"stages\":[1]} | /stages",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"stopOnFailureRatio\":2} |"
            + " /stopOnFailureRatio",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"stopOnFailureRatio\":1e999} |"
            + " /stopOnFailureRatio",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"expectedCount\":-1} |"
            + " /expectedCount",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"allowAll\":1} | /allowAll",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"maxJobs\":0} | /maxJobs",
        "{\"action\":\"set_priority\",\"filter\":{\"key\":\"k\"}} | /params/priority",
        "{\"action\":\"set_priority\",\"filter\":{\"key\":\"k\"},\"params\":"
            + "{\"priority\":10}} | /params/priority",
        "{\"action\":\"hold\",\"filter\":{\"key\":\"k\"},\"params\":{\"priority\":1}} |"
            + " /params/priority",
        "{\"action\":\"release\",\"filter\":{\"key\":\"k\"},\"params\":"
            + "{\"until\":\"2120-01-01T00:00:00Z\"}} | /params/until",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"dryRun\":true} | /dryRun",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"params\":{\"until\":1}} |"
            + " /params/until",
        "{\"action\":\"reschedule\",\"filter\":{\"key\":\"k\"}} | /params/runAt",
        "{\"action\":\"reschedule\",\"filter\":{\"key\":\"k\"},\"params\":{}} | /params/runAt",
        "{\"action\":\"hold\",\"filter\":{\"key\":\"k\"},\"params\":"
            + "{\"until\":\"2020-01-01T00:00:00Z\"}} | /params/until",
        "{\"action\":\"retry\",\"filter\":{\"key\":\"k\"},\"params\":{\"warmUp\":false}} |"
            + " /params/warmUp",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"reason\":\"\"} | /reason",
        "{\"action\":\"redrive\",\"filter\":{\"key\":\"k\"},\"more\":1} | /more",
      })
  void a_bad_body_is_refused_by_its_field(String body, String pointer) {
    Reply reply = api.post("/v1/operations", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).as(reply.body()).isEqualTo(pointer);
    assertThat(api.number("select count(*) from ebb.operation")).isZero();
  }

  @Test
  void a_filter_whose_query_is_too_long_and_too_many_ids_are_refused() {
    String word = "a".repeat(900);
    Reply filter = operate("\"filter\":{\"q\":\"" + word + "\",\"key\":\"" + word + "\"}");
    assertThat(filter.status()).as(filter.body()).isEqualTo(400);
    assertThat(filter.firstPointer()).isEqualTo("/filter");

    String id = "\"" + ApiServer.UNKNOWN_ID + "\"";
    Reply ids = operate("\"ids\":[" + String.join(",", Collections.nCopies(1_001, id)) + "]");
    assertThat(ids.firstPointer()).as(ids.body()).isEqualTo("/ids");
  }

  @Test
  void people_pause_resume_and_cancel_it_and_may_ask_again() {
    dead("q", 3);
    String path = operate("\"filter\":{\"queue\":[\"q\"]}").header("location");

    assertThat(api.post(path + "/pause", "{\"reason\":\"look first\"}").field("state"))
        .isEqualTo("paused");
    assertThat(api.get(path).field("stateReason")).isEqualTo("look first");
    assertThat(api.post(path + "/pause").status()).isEqualTo(200);
    assertThat(api.post(path + "/resume").field("state")).isEqualTo("running");
    assertThat(api.post(path + "/resume").status()).isEqualTo(200);
    assertThat(api.post(path + "/cancel").field("state")).isEqualTo("cancelled");
    assertThat(api.post(path + "/cancel").status()).isEqualTo(200);
    assertThat(api.post(path + "/resume").field("code")).isEqualTo("wrong_state");
    assertThat(api.post(path + "/pause").status()).isEqualTo(409);
  }

  @Test
  void what_is_unknown_is_not_found() {
    String unknown = "/v1/operations/" + ApiServer.UNKNOWN_ID;

    assertThat(api.get(unknown).field("code")).isEqualTo("operation_not_found");
    assertThat(api.get(unknown + "/report").field("code")).isEqualTo("operation_not_found");
    assertThat(api.post(unknown + "/pause").status()).isEqualTo(404);
    assertThat(api.get("/v1/operations/x").firstPointer()).isEqualTo("id");
    assertThat(api.get("/v1/operations?cursor=x").field("code")).isEqualTo("invalid_cursor");
  }

  @Test
  void operations_are_listed_newest_first_in_pages() {
    String first = operate("\"filter\":{\"queue\":[\"q\"]}").field("id");
    String second = operate("\"filter\":{\"queue\":[\"r\"]}").field("id");

    JsonNode page = api.get("/v1/operations?limit=1").json();
    JsonNode next =
        api.get("/v1/operations?limit=1&cursor=" + page.path("nextCursor").asString()).json();

    assertThat(page.at("/items/0/id").asString()).isEqualTo(second);
    assertThat(next.at("/items/0/id").asString()).isEqualTo(first);
  }

  @Test
  void a_filter_over_payloads_is_for_those_who_may_see_them() {
    String filter = "{\"action\":\"redrive\",\"filter\":{\"payload\":\"secret\"},\"reason\":\"r\"}";
    AccessConfig access = AccessConfig.of(ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(DATABASE, access)) {
      String token = "{\"name\":\"op\",\"scopes\":[\"jobs:operate\",\"jobs:read\"]}";
      String operator = closed.postAs(ADMIN, "/v1/tokens", token).field("token");

      assertThat(closed.postAs(operator, "/v1/operations", filter).status()).isEqualTo(403);
      Reply started = closed.postAs(ADMIN, "/v1/operations", filter);
      assertThat(started.field("query")).contains("secret");
      Reply seen =
          closed.send(
              closed
                  .request(started.header("location"))
                  .header("Authorization", "Bearer " + operator)
                  .GET());
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.body()).doesNotContain("secret");
    }
  }
}
