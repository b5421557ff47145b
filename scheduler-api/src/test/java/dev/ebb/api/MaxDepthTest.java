package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Queues that take no more jobs than their maxDepth, over two API processes. */
class MaxDepthTest {
  private static final int MOST = 100;
  private static final int SENDERS = 4;

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();

  private static String job(String queue) {
    return "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"}";
  }

  private static void awaitFull(ApiServer api, String queue) throws Exception {
    Await.until(queue + " is full", () -> api.post("/v1/jobs", job(queue)).status() == 429);
  }

  private static void fill(ApiServer api, String queue, int jobs) {
    api.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select '%s', 'a', 5, now(), 16, '1' from generate_series(1, %s)
        """
            .formatted(queue, jobs));
    recount(api);
  }

  /** What was written by hand has left no tally. */
  private static void recount(ApiServer api) {
    api.execute("select ebb.recount_queues()");
  }

  @Test
  void a_submit_to_a_full_queue_is_refused_whole_until_there_is_room() throws Exception {
    try (ApiServer api = ApiServer.start(database)) {
      Reply put = api.put("/v1/queues/full", "{\"paused\":false,\"maxDepth\":3}");
      assertThat(put.json().path("maxDepth").asInt()).isEqualTo(3);
      fill(api, "full", 3);
      awaitFull(api, "full");
      long before = api.stored();

      Reply one = api.post("/v1/jobs", job("full"));
      Reply batch = api.post("/v1/jobs/batch", "{\"jobs\":[" + job("b") + "," + job("full") + "]}");

      for (Reply refused : List.of(one, batch)) {
        assertThat(refused.status()).as(refused.body()).isEqualTo(429);
        assertThat(refused.field("code")).isEqualTo("queue_full");
        assertThat(refused.json().path("retryable").asBoolean()).isTrue();
        assertThat(refused.header("retry-after")).isEqualTo("1");
      }
      assertThat(api.stored()).isEqualTo(before);
      assertThat(api.post("/v1/jobs", job("other")).status()).isEqualTo(201);
      api.execute("delete from ebb.job where queue = 'full'");
      recount(api);
      Await.until("there is room", () -> api.post("/v1/jobs", job("full")).status() == 201);
    }
  }

  @Test
  void a_clone_needs_room_as_a_submit_does() throws Exception {
    try (ApiServer api = ApiServer.start(database)) {
      String origin = api.post("/v1/jobs", job("cloned")).header("location");
      api.put("/v1/queues/cloned", "{\"paused\":false,\"maxDepth\":3}");
      fill(api, "cloned", 2);
      awaitFull(api, "cloned");

      Reply clone = api.post(origin + "/clone");

      assertThat(clone.status()).as(clone.body()).isEqualTo(429);
      assertThat(clone.field("code")).isEqualTo("queue_full");
      assertThat(api.post(origin + "/clone", "{\"queue\":\"roomy\"}").status()).isEqualTo(201);
    }
  }

  @Test
  void a_preview_takes_no_room() throws Exception {
    try (ApiServer api = ApiServer.start(database)) {
      api.put("/v1/queues/dry", "{\"paused\":false,\"maxDepth\":3}");
      fill(api, "dry", 3);
      awaitFull(api, "dry");

      Reply dry = api.post("/v1/jobs/batch/preview", "{\"jobs\":[" + job("dry") + "]}");

      assertThat(dry.status()).as(dry.body()).isEqualTo(200);
    }
  }

  @Test
  void a_submit_that_is_repeated_once_its_queue_is_full_is_answered_as_the_first_time()
      throws Exception {
    try (ApiServer api = ApiServer.start(database)) {
      api.put("/v1/queues/replay", "{\"paused\":false,\"maxDepth\":3}");
      Reply first = keyed(api, "a");
      fill(api, "replay", 2);
      awaitFull(api, "replay");

      Reply again = keyed(api, "a");

      assertThat(keyed(api, "b").status()).isEqualTo(429);
      assertThat(again.status()).isEqualTo(201);
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    }
  }

  private static Reply keyed(ApiServer api, String key) {
    return api.send(
        api.request("/v1/jobs")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(job("replay"))));
  }

  @Test
  void two_processes_exceed_the_depth_by_no_more_than_the_room_that_each_saw() throws Exception {
    try (ApiServer one = ApiServer.start(database);
        ApiServer other = ApiServer.start(database)) {
      one.put("/v1/queues/q", "{\"paused\":false,\"maxDepth\":" + MOST + "}");
      fill(one, "q", 2 * MOST);
      awaitFull(one, "q");
      awaitFull(other, "q");
      one.execute("delete from ebb.job");
      recount(one);

      send(one, other, "q");

      // Each process may have seen as much room as the jobs of all senders left while they were
      // being written.
      assertThat(one.number("select count(*) from ebb.job where queue = 'q'"))
          .isBetween((long) MOST, 2L * (MOST + 2 * SENDERS));
      awaitFull(one, "q");
      awaitFull(other, "q");
    }
  }

  @Test
  void control_without_a_depth_the_same_senders_store_more() throws Exception {
    try (ApiServer one = ApiServer.start(database);
        ApiServer other = ApiServer.start(database)) {
      send(one, other, "free");

      assertThat(one.number("select count(*) from ebb.job where queue = 'free'"))
          .isGreaterThan(2L * (MOST + 2 * SENDERS));
    }
  }

  /** Each sender goes on until it is refused by a queue that has enough, or far more are stored. */
  private static void send(ApiServer one, ApiServer other, String queue) throws Exception {
    AtomicInteger stored = new AtomicInteger();
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> sent = new ArrayList<>();
      for (ApiServer api : List.of(one, other)) {
        for (int i = 0; i < SENDERS; i++) {
          sent.add(senders.submit(() -> send(api, queue, stored)));
        }
      }
      for (Future<?> sender : sent) {
        sender.get();
      }
    }
  }

  private static void send(ApiServer api, String queue, AtomicInteger stored) {
    boolean goesOn = true;
    while (goesOn) {
      int status = api.post("/v1/jobs", job(queue)).status();
      int now = status == 201 ? stored.incrementAndGet() : stored.get();
      goesOn = now < 4 * MOST && !(status == 429 && now >= MOST);
    }
  }
}
