package dev.ebb.api;

import static dev.ebb.api.LeasesTest.lease;
import static dev.ebb.api.LeasesTest.outcome;
import static dev.ebb.api.LeasesTest.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Whose leases are. */
class LeaseTokensTest {
  private final String queue = "bookings";
  private final String worker = "bookings-7f3a";

  private String poll(int most, String wait, String more) {
    return LeasesTest.poll(worker, queue, most, wait, more);
  }

  @Test
  void a_lease_and_a_worker_are_their_tokens_alone() throws Exception {
    AccessConfig access = AccessConfig.of(ApiServer.ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(TestPostgres.shared().newDatabase(), access)) {
      String one = token(closed, "one", "");
      String other = token(closed, "other", ",\"queues\":[\"" + queue + "\"]");
      String job = "{\"kind\":\"paid\",\"queue\":\"" + queue + "\",\"payload\":1}";
      assertThat(closed.postAs(ApiServer.ADMIN, "/v1/jobs", job).status()).isEqualTo(201);
      JsonNode lease =
          closed.postAs(one, "/v1/leases", poll(1, "PT5S", ",\"requestId\":\"r\"")).json();
      String results =
          "{\"worker\":\"w\",\"results\":[" + result(lease, 0, outcome("completed")) + "]}";
      String renewal = "{\"worker\":\"w\",\"leases\":[\"" + lease(lease) + "\"]}";
      String stop = "{\"worker\":\"" + worker + "\"}";

      Reply foreign = closed.postAs(other, "/v1/leases", poll(1, "PT0S", ",\"requestId\":\"r\""));
      assertThat(foreign.field("code")).isEqualTo("worker_name_taken");
      assertThat(closed.postAs(other, "/v1/leases/settle", results).json().path("refused").size())
          .isOne();
      assertThat(closed.postAs(other, "/v1/leases/renew", renewal).json().path("lost").size())
          .isOne();
      assertThat(closed.postAs(other, "/v1/leases/stop", stop).status()).isEqualTo(204);
      assertThat(closed.postAs(one, "/v1/leases/renew", renewal).json().path("renewed").size())
          .isOne();
      assertThat(closed.postAs(one, "/v1/leases", poll(1, "PT0S", "")).header("Ebb-Held"))
          .as("another token stopped nothing")
          .isEmpty();
      assertThat(closed.postAs(one, "/v1/leases/settle", results).json().path("settled").size())
          .isOne();
      String elsewhere = "{\"worker\":\"x\",\"queues\":[\"elsewhere\"],\"kinds\":[\"paid\"]}";
      assertThat(closed.postAs(other, "/v1/leases", elsewhere).field("code"))
          .isEqualTo("queue_not_allowed");
    }
  }

  @Test
  void one_token_leaves_room_for_the_kinds_of_others() throws Exception {
    AccessConfig access = AccessConfig.of(ApiServer.ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(TestPostgres.shared().newDatabase(), access)) {
      String one = token(closed, "one", "");
      String other = token(closed, "other", "");
      for (int i = 0; i < 64; i++) {
        assertThat(closed.postAs(one, "/v1/leases", pollFor("kind-" + i, "one")).status())
            .isEqualTo(204);
      }

      Reply beyond = closed.postAs(one, "/v1/leases", pollFor("kind-64", "one"));
      assertThat(beyond.field("code")).as(beyond.body()).isEqualTo("busy");
      assertThat(closed.postAs(one, "/v1/leases", pollFor("kind-0", "one")).status())
          .as("a set that is looked after")
          .isEqualTo(204);
      assertThat(closed.postAs(other, "/v1/leases", pollFor("kind-64", "other")).status())
          .isEqualTo(204);
    }
  }

  @Test
  void an_empty_list_of_queues_is_no_right_to_all_of_them() throws Exception {
    AccessConfig access = AccessConfig.of(ApiServer.ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(TestPostgres.shared().newDatabase(), access)) {
      String worker = "{\"name\":\"one\",\"role\":\"worker\",\"queues\":[]}";
      Reply refused = closed.postAs(ApiServer.ADMIN, "/v1/tokens", worker);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("/queues");

      String viewer = worker.replace("worker", "viewer");
      assertThat(closed.postAs(ApiServer.ADMIN, "/v1/tokens", viewer).status())
          .as("it takes no jobs")
          .isEqualTo(201);
    }
  }

  private String pollFor(String kind, String name) {
    return "{\"worker\":\"%s\",\"queues\":[\"%s\"],\"kinds\":[\"%s\"],\"wait\":\"PT0S\"}"
        .formatted(name, queue, kind);
  }

  private static String token(ApiServer closed, String name, String more) {
    String body = "{\"name\":\"" + name + "\",\"role\":\"worker\"" + more + "}";
    return closed.postAs(ApiServer.ADMIN, "/v1/tokens", body).field("token");
  }
}
