package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a queue's jobs do now, over REST. */
class QueueJobsTest {
  /** A lease of the oldest jobs of a queue. */
  private static final String LEASE =
      """
      insert into ebb.lease (queue, node, claimed_at, expires_at, length_micros, job_ids, versions,
        first_priority, last_priority, last_run_at)
      select '%1$s', '%2$s', now() - interval '%3$s', now() + interval '1 hour', 1000000,
        array_agg(id), array_agg(version), 5, 5, now()
      from (
        select id, version from ebb.job j where queue = '%1$s'
          and not exists (select from ebb.leased l where l.id = j.id)
        order by id limit %4$s) named
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

  private static String submit(String queue) {
    return api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"}")
        .field("id");
  }

  @Test
  void what_waits_is_counted_by_how_often_it_was_started() {
    for (int i = 0; i < 5; i++) {
      submit("tried");
    }
    api.execute(
        "update ebb.job set attempt = 12, max_attempts = 99 where id = (select max(id::text)::uuid"
            + " from ebb.job where queue = 'tried')");
    api.execute(LEASE.formatted("tried", "n", "1 minute", 1));

    JsonNode waiting = api.get("/v1/queues/tried/waiting").json();

    assertThat(waiting.path("exact").asBoolean()).isTrue();
    assertThat(waiting.path("jobs").asInt()).isEqualTo(4);
    assertThat(waiting.path("byAttempts").toString()).isEqualTo("{\"0\":3,\"10+\":1}");
    // The search that a count leads to finds as many.
    assertThat(count("queue:tried state:available attempts:0")).isEqualTo(3);
    assertThat(count("queue:tried state:available attempts>=10")).isEqualTo(1);
  }

  private static int count(String search) {
    String q = search.replace(" ", "+").replace(">", "%3E").replace(":", "%3A");
    return api.get("/v1/jobs/count?q=" + q).json().path("count").asInt();
  }

  @Test
  void each_node_is_shown_with_the_job_that_it_runs_for_longest() {
    String first = submit("held");
    for (int i = 0; i < 3; i++) {
      submit("held");
    }
    api.execute(LEASE.formatted("held", "slow", "3 minutes", 1));
    api.execute(LEASE.formatted("held", "quick", "2 seconds", 2));

    JsonNode running = api.get("/v1/queues/held/running").json();

    assertThat(running.path("jobs").asInt()).isEqualTo(3);
    assertThat(running.path("nodes").findValuesAsString("node")).containsExactly("slow", "quick");
    assertThat(running.at("/nodes/0/oldest/id").asString()).isEqualTo(first);
    assertThat(running.at("/nodes/0/oldest/attempt").asInt()).isEqualTo(1);
    assertThat(running.at("/nodes/0/oldest/startedAt"))
        .isEqualTo(api.get("/v1/jobs/" + first).json().path("startedAt"));
    assertThat(running.at("/nodes/1/jobs").asInt()).isEqualTo(2);
  }

  @Test
  void an_unknown_queue_has_none_and_a_name_that_is_none_is_refused() {
    for (String what : new String[] {"waiting", "running"}) {
      Reply unknown = api.get("/v1/queues/nowhere/" + what);
      assertThat(unknown.status()).isEqualTo(200);
      assertThat(unknown.json().path("jobs").asInt()).isZero();
      assertThat(api.get("/v1/queues/NO/" + what).firstPointer()).isEqualTo("queue");
    }
  }
}
