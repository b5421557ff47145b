package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.errors.ErrorGroups;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Groups of dead letters over REST. */
class ErrorGroupsTest {
  private static final String GROUPS = "/v1/dead-letters/groups";

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void die(String queue, String failure) {
    DeadLetters.in(queue).failure(failure).store(api.config(), 1);
  }

  private Reply patch(String path, String tag, String body) {
    var request = api.request(path).header("Content-Type", "application/merge-patch+json");
    if (!tag.isEmpty()) {
      request.header("If-Match", tag);
    }
    return api.send(request.method("PATCH", BodyPublishers.ofString(body)));
  }

  @Test
  void groups_are_listed_shown_and_acknowledged() throws SQLException {
    die("q1", "order 1 failed");
    die("q1", "order 2 failed");
    die("q2", "refused");
    assertThat(api.get(GROUPS).json().path("ungrouped").asInt()).isEqualTo(3);
    api.grouped();

    JsonNode list = api.get(GROUPS + "?queue=q1&kind=a").json();
    assertThat(list.path("items").size()).isOne();
    assertThat(list.path("ungrouped").asInt()).isZero();
    JsonNode item = list.at("/items/0");
    assertThat(item.path("pattern").asString()).isEqualTo("order <number> failed");
    assertThat(item.path("counts").toString())
        .isEqualTo("{\"1h\":2,\"3h\":2,\"24h\":2,\"3d\":2,\"7d\":2,\"all\":2}");
    String path = GROUPS + "/" + item.path("id").asString();
    Reply seen = api.get(path);
    assertThat(seen.json()).isEqualTo(item);

    Reply patched =
        patch(
            path,
            seen.header("etag"),
            "{\"acknowledged\":true,\"assignee\":\"on call\",\"note\":\"at it\"}");
    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    assertThat(patched.json().path("acknowledged").asBoolean()).isTrue();
    assertThat(patched.field("acknowledgedBy")).isEqualTo("anybody");
    assertThat(patched.field("assignee")).isEqualTo("on call");
    assertThat(patched.field("note")).isEqualTo("at it");
    assertThat(patched.json().path("sinceAcknowledged").asInt()).isZero();

    die("q1", "order 3 failed");
    api.grouped();
    Reply again = api.get(path);
    assertThat(again.json().path("sinceAcknowledged").asInt()).isOne();
    assertThat(again.header("etag"))
        .as("nobody said anything since")
        .isEqualTo(patched.header("etag"));
    String taken = "{\"note\":null,\"acknowledged\":null}";
    Reply open = patch(path, again.header("etag"), taken);
    assertThat(open.body())
        .contains("\"acknowledged\":false", "\"assignee\":\"on call\"")
        .doesNotContain("note", "sinceAcknowledged", "acknowledgedAt");
    assertThat(patch(path, open.header("etag"), "{\"assignee\":null}").body())
        .doesNotContain("assignee");
  }

  @Test
  void what_somebody_else_said_meanwhile_is_not_overwritten() throws SQLException {
    die("q", "no");
    api.grouped();
    String path = GROUPS + "/" + api.get(GROUPS).json().at("/items/0/id").asString();
    String tag = api.get(path).header("etag");

    assertThat(patch(path, "", "{\"note\":\"mine\"}").status()).isEqualTo(428);
    assertThat(patch(path, tag, "{\"note\":\"mine\"}").status()).isEqualTo(200);
    assertThat(patch(path, tag, "{\"note\":\"other\"}").status()).isEqualTo(412);
    assertThat(patch(path, "*", "{\"acknowledged\":true}").field("note")).isEqualTo("mine");
  }

  @Test
  void pages_lead_from_the_largest_to_the_smallest() throws SQLException {
    for (String failure : new String[] {"a", "b", "b", "c", "c", "c"}) {
      die("q", failure);
    }
    api.grouped();

    JsonNode first = api.get(GROUPS + "?limit=2").json();
    JsonNode second =
        api.get(GROUPS + "?limit=2&cursor=" + first.path("nextCursor").asString()).json();

    assertThat(first.findValuesAsString("pattern")).containsExactly("c", "b");
    assertThat(first.path("total").asInt()).isEqualTo(3);
    assertThat(first.path("estimated").asBoolean()).isFalse();
    assertThat(second.findValuesAsString("pattern")).containsExactly("a");
    assertThat(second.has("nextCursor")).isFalse();
  }

  private void dieOf(String merchant, String failure, int many) {
    DeadLetters.in("q").merchant(merchant).failure(failure).store(api.config(), many);
  }

  private void dieOfThree() throws SQLException {
    api.execute("update ebb.settings set subject = 'merchant'");
    dieOf("bikes-ghent", "no", 500);
    dieOf("acme-rome", "no", 300);
    dieOf("acme-rome", "away", 200);
    ErrorGroups groups = api.grouped();
    while (groups.groupNew()) {}
  }

  @Test
  void the_redrive_of_a_group_covers_one_merchant_alone() throws SQLException {
    dieOfThree();
    JsonNode largest = api.get(GROUPS).json().at("/items/0");
    assertThat(largest.path("subject").asString()).isEqualTo("bikes-ghent");
    assertThat(largest.at("/counts/all").asInt()).isEqualTo(500);

    assertThat(matched(largest)).isEqualTo(500);
    String begun =
        """
        {"action":"redrive","filter":{"errorGroup":"%s"},"stages":[1,10],"expectedCount":500}
        """
            .formatted(largest.path("id").asString());
    Reply operation = api.post("/v1/operations", begun);

    assertThat(operation.status()).as(operation.body()).isEqualTo(202);
    assertThat(
            api.text(
                """
                select count(*) from ebb.operation_item i
                join ebb.dead_letter d on d.id = i.job_id
                where d.labels ->> 'merchant' <> 'bikes-ghent'
                """))
        .isEqualTo("0");
  }

  private int matched(JsonNode row) {
    String body =
        "{\"action\":\"redrive\",\"filter\":{\"errorGroup\":\"%s\"}}"
            .formatted(row.path("id").asString());
    return api.post("/v1/operations/preview", body).json().path("matched").asInt();
  }

  @ParameterizedTest
  @CsvSource({"error, 800 200, 2 1", "subject, 500 500, 1 2", "error_subject, 500 300 200, 1 1 1"})
  void a_row_tells_its_groups_and_its_redrive_covers_these_alone(
      String by, String sizes, String groups) throws SQLException {
    dieOfThree();

    JsonNode list = api.get(GROUPS + "?by=" + by).json();

    assertThat(numbers(list, "/counts/all")).containsExactlyInAnyOrder(sizes.split(" "));
    assertThat(numbers(list, "/groups")).containsExactlyInAnyOrder(groups.split(" "));
    for (JsonNode row : list.path("items")) {
      assertThat(matched(row)).isEqualTo(row.at("/counts/all").asInt());
      JsonNode held = api.get(GROUPS + "?row=" + row.path("id").asString()).json();
      assertThat(held.path("total")).isEqualTo(row.path("groups"));
    }
  }

  private static String[] numbers(JsonNode list, String pointer) {
    return list.path("items")
        .valueStream()
        .map(row -> row.at(pointer).asString())
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=101, limit",
    "queue=NO, queue",
    "kind=a%20b, kind",
    "state=dead, state",
    "by=merchant, by",
    "row=1, row",
    "row=00000000-0000-0000-0000-000000000000, ok",
    "by=error&row=00000000-0000-0000-0000-000000000000, row",
    "cursor=1, -",
    "cursor=9.999999999999999999.00000000-0000-0000-0000-000000000000, -",
    "cursor=9.999999999999999999.c.00000000-0000-0000-0000-000000000000, ok",
    "cursor=9.999999999999999999.e.00000000-0000-0000-0000-000000000000, ok",
  })
  void a_bad_parameter_is_refused_by_name(String query, String parameter) {
    Reply reply = api.get(GROUPS + "?" + query);

    assertThat(reply.status()).isEqualTo(parameter.equals("ok") ? 200 : 400);
    if (!parameter.equals("ok")) {
      assertThat(reply.firstPointer()).isEqualTo(parameter);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"acknowledged\":1} | /acknowledged",
        "{\"note\":\" \"} | /note",
        "{\"note\":5} | /note",
        "{\"assignee\":\"\"} | /assignee",
        "{\"assignee\":[]} | /assignee",
        "{\"note\":\"a\\u0000\"} | ",
        "{\"pattern\":\"x\"} | /pattern",
        "{\"reason\":\"\"} | /reason",
      })
  void a_bad_patch_is_refused_at_its_field(String body, String pointer) throws SQLException {
    die("q", "no");
    api.grouped();
    String path = GROUPS + "/" + api.get(GROUPS).json().at("/items/0/id").asString();

    Reply reply = patch(path, "*", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer == null ? "/note" : pointer);
    assertThat(api.get(path).body()).doesNotContain("\"note\"");
  }

  @Test
  void an_unknown_group_is_not_found() {
    String path = GROUPS + "/" + ApiServer.UNKNOWN_ID;

    assertThat(api.get(path).field("code")).isEqualTo("group_not_found");
    assertThat(patch(path, "*", "{}").field("code")).isEqualTo("group_not_found");
    assertThat(api.get(GROUPS + "/1").status()).isEqualTo(400);
  }
}
