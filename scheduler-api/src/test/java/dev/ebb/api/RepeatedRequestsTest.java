package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clones, and runs of schedules, that are repeated with an Idempotency-Key. */
class RepeatedRequestsTest {
  private static final String JOBS = "select count(*) from ebb.job";
  private static final String AUDITED = "select count(*) from ebb.audit where action = '%s'";
  private static final String WAITING =
      """
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
      """;

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start(TestPostgres.shared().newDatabase());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply post(String path, String key, String body) {
    return api.send(
        api.request(path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  private static String submitted() {
    return api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").header("location");
  }

  private static String schedule(String name, String overlap) {
    String path = "/v1/schedules/" + name;
    String job = "{\"kind\":\"report\",\"payload\":1}";
    String body = "{\"every\":\"PT1H\",\"overlap\":\"%s\",\"job\":%s}".formatted(overlap, job);
    assertThat(api.put(path, body).status()).isEqualTo(201);
    return path;
  }

  @Test
  void a_repeated_clone_makes_one_job_whatever_has_become_of_the_other() {
    String job = submitted();
    long before = api.number(JOBS);
    long audited = api.number(AUDITED.formatted("job.clone"));
    Reply first = post(job + "/clone", "twice", "{\"priority\":1}");
    api.execute("delete from ebb.job where id = '" + job.substring("/v1/jobs/".length()) + "'");

    Reply again = post(job + "/clone", "\"twice\"", "{\"priority\":1}");

    assertThat(first.status()).as(first.body()).isEqualTo(201);
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(again.status()).as(again.body()).isEqualTo(201);
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(again.header("location")).isEqualTo(first.header("location"));
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(api.number(JOBS)).isEqualTo(before);
    assertThat(api.number(AUDITED.formatted("job.clone"))).isEqualTo(audited + 1);
  }

  @Test
  void control_without_a_key_a_repeated_clone_makes_a_second_job() {
    String job = submitted();
    long before = api.number(JOBS);

    api.post(job + "/clone");
    api.post(job + "/clone");

    assertThat(api.number(JOBS)).isEqualTo(before + 2);
  }

  @Test
  void a_key_belongs_to_the_job_that_is_cloned_and_to_the_body() {
    String job = submitted();
    Reply first = post(job + "/clone", "mine", "{}");

    Reply other = post(job + "/clone", "mine", "{\"priority\":2}");
    Reply elsewhere = post(submitted() + "/clone", "mine", "{}");

    assertThat(other.status()).isEqualTo(422);
    assertThat(other.field("code")).isEqualTo("idempotency_key_reused");
    assertThat(other.field("existing")).isEqualTo(first.header("location"));
    assertThat(elsewhere.status()).isEqualTo(201);
    assertThat(elsewhere.header("idempotency-replayed")).isEmpty();
  }

  @Test
  void a_clone_that_is_refused_uses_no_key() {
    String job = submitted();
    Reply holder = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"held\"}");
    String body = "{\"uniqueKey\":\"held\"}";

    Reply refused = post(job + "/clone", "free", body);
    api.post(holder.header("location") + "/cancel");
    Reply taken = post(job + "/clone", "free", body);

    assertThat(refused.field("code")).isEqualTo("unique_key_taken");
    assertThat(taken.status()).as(taken.body()).isEqualTo(201);
    assertThat(taken.header("idempotency-replayed")).isEmpty();
  }

  @Test
  void a_repeated_run_of_a_schedule_makes_one_job() {
    String path = schedule("twice", "skip");
    Reply first = post(path + "/run", "click", "{}");
    long audited = api.number(AUDITED.formatted("schedule.run"));

    Reply again = post(path + "/run", "click", "{}");

    assertThat(first.status()).as(first.body()).isEqualTo(200);
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(api.number(AUDITED.formatted("schedule.run"))).isEqualTo(audited);
    assertThat(api.post(path + "/run").field("code")).as("without a key").isEqualTo("wrong_state");
  }

  @Test
  void a_repeated_run_is_answered_with_its_own_fire_even_if_a_later_one_met_its_job() {
    String path = "/v1/schedules/unique";
    String job = "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"one\"}";
    api.put(path, "{\"every\":\"PT1H\",\"job\":" + job + "}");
    Reply first = post(path + "/run", "k1", "{}");
    Reply second = post(path + "/run", "k2", "{}");

    assertThat(first.field("result")).isEqualTo("submitted");
    assertThat(second.field("result")).isEqualTo("duplicate");
    assertThat(post(path + "/run", "k1", "{}").body()).isEqualTo(first.body());
    assertThat(post(path + "/run", "k2", "{}").body()).isEqualTo(second.body());
  }

  @Test
  void a_run_whose_fire_is_no_longer_kept_is_still_not_made_again() {
    String path = schedule("forgotten", "allow");
    Reply first = post(path + "/run", "click", "{}");
    api.execute("delete from ebb.schedule_fire where schedule = 'forgotten'");

    Reply again = post(path + "/run", "click", "{}");

    assertThat(again.field("jobId")).isEqualTo(first.field("jobId"));
    assertThat(api.get(path + "/fires").json().path("items").size()).isZero();
  }

  @Test
  void a_run_that_overlap_forbids_uses_no_key() {
    String path = schedule("barred", "skip");
    Reply first = post(path + "/run", "one", "{}");

    Reply barred = post(path + "/run", "two", "{}");
    api.post(first.field("job") + "/cancel");
    Reply served = post(path + "/run", "two", "{}");

    assertThat(barred.field("code")).isEqualTo("wrong_state");
    assertThat(served.field("result")).isEqualTo("submitted");
    assertThat(post(path + "/run", "one", "{\"reason\":\"other\"}").field("code"))
        .isEqualTo("idempotency_key_reused");
  }

  @Test
  void while_a_run_is_being_served_another_with_its_key_is_told_to_come_again() throws Exception {
    String path = schedule("slow", "allow");
    try (Connection stopping = api.connect()) {
      stopping.setAutoCommit(false);
      stopping.createStatement().execute("lock table ebb.schedule_fire in exclusive mode");
      CompletableFuture<Reply> first =
          CompletableFuture.supplyAsync(() -> post(path + "/run", "slow", "{}"));
      Await.until("it is being stored", () -> api.number(WAITING) == 1);

      Reply second = post(path + "/run", "slow", "{}");

      assertThat(second.field("code")).isEqualTo("idempotency_key_in_flight");
      assertThat(second.header("retry-after")).isEqualTo("1");
      stopping.rollback();
      assertThat(first.get().status()).isEqualTo(200);
    }
  }
}
