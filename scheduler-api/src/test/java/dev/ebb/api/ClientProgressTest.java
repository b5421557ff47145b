package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.LossyProxy.Fate;
import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbWorker;
import dev.ebb.client.JobKind;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.db.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How far attempts are, as the client's worker tells it beside its renewals. */
class ClientProgressTest {
  private static final JobKind<String> PAID = JobKind.json("paid");
  private static final String RENEW = "/v1/leases/renew";
  private static ApiServer api;

  private final BlockingQueue<Run<String>> runs = new LinkedBlockingQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private LossyProxy proxy;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void open() throws IOException {
    proxy = LossyProxy.before(api);
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  private EbbWorker worker(String queue) {
    return EbbHttp.at(proxy.address())
        .build()
        .worker("billing")
        .queues(queue)
        .lease(Duration.ofSeconds(5))
        .grace(Duration.ofMillis(100))
        .slots(30)
        .on(PAID, this::untilReleased)
        .start();
  }

  private Outcome untilReleased(Run<String> run) throws InterruptedException {
    runs.add(run);
    release.await();
    return Outcome.completed();
  }

  private static List<String> submit(String queue, int count) {
    EbbHttp http = EbbHttp.at(URI.create("http://127.0.0.1:" + api.port())).build();
    return IntStream.range(0, count)
        .mapToObj(_ -> http.submit(PAID.job("{}").queue(queue)).id().toString())
        .toList();
  }

  private List<Run<String>> started(int count) throws InterruptedException {
    List<Run<String>> started = new ArrayList<>();
    while (started.size() < count) {
      started.add(runs.take());
    }
    return started;
  }

  private static JsonNode shown(String id) {
    return api.get("/v1/jobs/" + id).json();
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    Await.until("what the test waits for", condition);
  }

  private List<String> renewals() {
    return proxy.bodies(RENEW);
  }

  @Test
  void progress_is_shown_while_the_job_runs_and_told_once() throws Exception {
    String id = submit("one", 1).getFirst();
    try (EbbWorker _ = worker("one")) {
      Run<String> run = started(1).getFirst();
      run.progress(140, "almost\0");
      until(() -> shown(id).path("progress").path("percent").asInt() == 100);
      assertThat(shown(id).path("progress").path("message").asString()).isEqualTo("almost?");
      int told = renewals().size();
      until(() -> renewals().size() > told);

      assertThat(renewals().subList(told, told + 1)).noneMatch(body -> body.contains("almost"));
      run.progress(100, "done");
      until(() -> shown(id).path("progress").path("message").asString().equals("done"));
      release.countDown();
    }
  }

  @Test
  void more_progress_than_a_request_takes_is_told_by_several() throws Exception {
    List<String> ids = submit("many", 30);
    try (EbbWorker _ = worker("many")) {
      started(30).forEach(run -> run.progress(40, "\u20ac".repeat(1_024)));
      until(() -> ids.stream().allMatch(id -> shown(id).path("progress").has("message")));

      assertThat(renewals())
          .allMatch(body -> body.getBytes(StandardCharsets.UTF_8).length <= 34 * 1_024)
          .filteredOn(body -> body.contains("progress"))
          .hasSizeBetween(3, 4);
      assertThat(ids).allMatch(id -> shown(id).path("attempt").asInt() == 1);
      release.countDown();
    }
  }

  @Test
  void progress_that_is_refused_costs_no_lease() throws Exception {
    String id = submit("refused", 1).getFirst();
    proxy.next(RENEW, Fate.REFUSE);
    try (EbbWorker _ = worker("refused")) {
      Run<String> run = started(1).getFirst();
      run.progress(10, "refused");
      until(() -> renewals().size() > 1);
      assertThat(renewals().get(0)).contains("refused");
      assertThat(renewals().get(1)).doesNotContain("progress");
      run.progress(20, "taken");
      until(() -> shown(id).path("progress").path("percent").asInt() == 20);

      assertThat(run.mustStop()).isFalse();
      assertThat(renewals()).noneMatch(body -> body.contains("refused") && body.contains("taken"));
      release.countDown();
    }
  }

  @Test
  void a_refusal_of_the_progress_of_many_silences_none() throws Exception {
    List<String> ids = submit("some", 5);
    proxy.next(RENEW, Fate.REFUSE);
    try (EbbWorker _ = worker("some")) {
      started(5).forEach(run -> run.progress(40, "almost"));
      until(() -> ids.stream().allMatch(id -> shown(id).path("progress").has("message")));

      assertThat(renewals().get(1)).doesNotContain("progress");
      release.countDown();
    }
  }
}
