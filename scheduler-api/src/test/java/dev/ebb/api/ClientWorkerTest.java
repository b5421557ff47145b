package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.LossyProxy.Fate;
import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbProblem;
import dev.ebb.client.EbbWorker;
import dev.ebb.client.Handler;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.client.Stop;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Await;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The client's worker, before a server. */
class ClientWorkerTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final JobKind<Paid> PAID = JobKind.of("paid", Paid.class);
  private static final String POLL = "/v1/leases";
  private static final String SETTLE = "/v1/leases/settle";
  private static ApiServer api;

  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private String queue = "";
  private LossyProxy proxy;

  record Paid(String id) {}

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void newQueue() throws IOException {
    queue = "client-" + NUMBER.incrementAndGet();
    proxy = LossyProxy.before(api);
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  private EbbHttp http() {
    return EbbHttp.at(URI.create("http://127.0.0.1:" + api.port())).build();
  }

  private Job<Paid> job() {
    return PAID.job(new Paid("p-7")).queue(queue);
  }

  private String submit(Job<?> job) {
    return http().submit(job).id().toString();
  }

  private EbbWorker.Builder worker(Handler<Paid> handler) {
    return EbbHttp.at(proxy.address())
        .build()
        .worker("billing")
        .queues(queue)
        .lease(Duration.ofSeconds(5))
        .grace(Duration.ofMillis(100))
        .slots(4)
        .on(PAID, handler);
  }

  /** Runs until it is released or interrupted, and tells which, and why. */
  private Outcome untilReleased(Run<Paid> run) throws InterruptedException {
    started.countDown();
    try {
      release.await();
      told.add("released");
      return Outcome.completed();
    } catch (InterruptedException e) {
      assertThat(run.mustStop()).isTrue();
      assertThat(run.isCancelled()).isEqualTo(run.why().equals(Optional.of(Stop.CANCELLED)));
      told.add(run.why().map(Stop::name).orElse("?"));
      throw e;
    }
  }

  private String told() throws InterruptedException {
    return String.valueOf(told.poll(30, TimeUnit.SECONDS));
  }

  private static JsonNode shown(String id) {
    return api.get("/v1/jobs/" + id).json();
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    Await.until("what the test waits for", condition);
  }

  private static void awaitState(String id, String state) throws Exception {
    Await.until(id + " is " + state, () -> shown(id).path("state").asString().equals(state));
  }

  @Test
  void a_job_runs_with_what_was_submitted_and_is_completed() throws Exception {
    String id = submit(job().label("shop", "7").maxAttempts(3).traceparent(TRACE));
    BlockingQueue<Run<Paid>> runs = new LinkedBlockingQueue<>();
    Handler<Paid> handler =
        run -> {
          runs.add(run);
          return Outcome.completed(Map.of("booking", "B7"));
        };

    try (EbbWorker worker = worker(handler).start()) {
      Run<Paid> run = runs.poll(30, TimeUnit.SECONDS);
      awaitState(id, "completed");

      assertThat(run.args()).isEqualTo(new Paid("p-7"));
      assertThat(run.id()).isEqualTo(UUID.fromString(id));
      assertThat(run.kind() + run.queue()).isEqualTo("paid" + queue);
      assertThat(run.attempt() + " of " + run.maxAttempts()).isEqualTo("1 of 3");
      assertThat(run.labels()).isEqualTo(Map.of("shop", "7"));
      assertThat(run.traceparent()).contains(TRACE);
      assertThat(run.runAt()).isAfterOrEqualTo(run.createdAt());
      assertThat(run.mustStop()).isFalse();
      assertThat(shown(id).path("result").path("booking").asString()).isEqualTo("B7");
      JsonNode node = api.get("/v1/nodes/" + worker.name()).json();
      assertThat(node.path("version").asString()).startsWith("ebb-java/");
      assertThat(node.path("concurrency").asInt()).isEqualTo(4);
    }
  }

  static List<Arguments> outcomes() {
    Handler<Paid> broken =
        _ -> {
          throw new IllegalStateException("no\0bank \uD800");
        };
    return List.of(
        Arguments.of(broken, "available", "exception"),
        Arguments.of(told(Outcome.failed("away", "later")), "available", "away"),
        Arguments.of(told(Outcome.fatal("gone", "")), "dead_letter", "gone"),
        Arguments.of(told(Outcome.throttled("busy", "", Duration.ofHours(1))), "available", "busy"),
        Arguments.of(told(Outcome.notReady(Duration.ofHours(1))), "available", ""),
        Arguments.of(told(Outcome.cancelled()), "cancelled", ""));
  }

  private static Handler<Paid> told(Outcome outcome) {
    return _ -> outcome;
  }

  @ParameterizedTest
  @MethodSource("outcomes")
  void the_server_hears_how_an_attempt_ended(Handler<Paid> handler, String state, String reason)
      throws Exception {
    String id = submit(job());

    try (EbbWorker _ = worker(handler).start()) {
      until(() ->
          !proxy.bodies(SETTLE).isEmpty()
              && shown(id).path("state").asString().equals(state)
              && shown(id).path("lastError").path("reason").asString("").equals(reason));
    }
  }

  @ParameterizedTest
  @CsvSource({"[1], available", "null, dead_letter"})
  void what_cannot_be_read_is_tried_again_but_null(String payload, String state) throws Exception {
    String id = submit(JobKind.json("paid").job(payload).queue(queue));

    try (EbbWorker _ = worker(told(Outcome.completed())).start()) {
      until(() ->
          shown(id).path("lastError").path("reason").asString("").equals("unreadable_payload"));
      awaitState(id, state);
    }
  }

  @Test
  void a_cancel_interrupts_the_handler_and_the_job_ends() throws Exception {
    String id = submit(job());
    try (EbbWorker _ = worker(this::untilReleased).start()) {
      started.await();
      api.post("/v1/jobs/" + id + "/cancel");

      assertThat(told()).isEqualTo("CANCELLED");
      awaitState(id, "cancelled");
    }
  }

  @Test
  void an_attempt_ends_with_its_timeout() throws Exception {
    String id = submit(job().timeout(Duration.ofSeconds(1)).maxAttempts(1));
    try (EbbWorker _ = worker(this::untilReleased).start()) {
      assertThat(told()).isEqualTo("TIMEOUT");
      awaitState(id, "dead_letter");
      assertThat(shown(id).path("lastError").path("reason").asString()).isEqualTo("timeout");
    }
  }

  @Test
  void a_job_that_outlasts_its_lease_is_renewed_and_runs_once() throws Exception {
    String id = submit(job());
    try (EbbWorker _ = worker(this::untilReleased).start()) {
      started.await();
      String first = api.text("select expires_at from ebb.lease where queue = '" + queue + "'");
      until(() ->
          !api.text("select max(expires_at) from ebb.lease where queue = '" + queue + "'")
              .equals(first));
      release.countDown();

      awaitState(id, "completed");
      assertThat(shown(id).path("attempt").asInt()).isOne();
    }
  }

  @Test
  void a_lost_lease_interrupts_its_attempts_and_settles_nothing() throws Exception {
    String id = submit(job());
    try (EbbWorker _ = worker(this::untilReleased).start()) {
      started.await();
      api.set("/v1/queues/" + queue, "{\"paused\":true}");
      api.execute(
          "update ebb.lease set expires_at = now() - interval '1 s' where queue = '" + queue + "'");
      api.queue().rescue(10, Instant.now(), (_, _, _) -> new Settlement.GiveBack());

      assertThat(told()).isEqualTo("LOST");
    }
    assertThat(shown(id).path("state").asString()).isEqualTo("available");
    assertThat(proxy.bodies(SETTLE)).isEmpty();
  }

  @Test
  void attempts_end_once_nobody_can_renew_their_lease() throws Exception {
    submit(job());
    try (EbbWorker _ = worker(this::untilReleased).start()) {
      started.await();
      proxy.cut(true);

      assertThat(told()).isEqualTo("LOST");
      proxy.cut(false);
    }
  }

  /** Whoever closes it may close next what the handler still needs. */
  @Test
  void a_close_waits_for_a_handler_whose_lease_was_lost() throws Exception {
    submit(job());
    AtomicInteger ended = new AtomicInteger();
    Handler<Paid> slow =
        run -> {
          try {
            return untilReleased(run);
          } catch (InterruptedException lost) {
            return untilInterrupted(ended);
          }
        };
    try (EbbWorker worker = worker(slow).start()) {
      started.await();
      proxy.cut(true);
      assertThat(told()).isEqualTo("LOST");
      proxy.cut(false);
      worker.close();

      assertThat(ended).hasValue(1);
    }
  }

  private static Outcome untilInterrupted(AtomicInteger ended) throws InterruptedException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException closes) {
      boolean _ = new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
      ended.incrementAndGet();
    }
    return Outcome.completed();
  }

  @Test
  void a_close_gives_back_what_has_not_ended_and_lets_the_rest_end() throws Exception {
    String id = submit(job());
    try (EbbWorker worker = worker(this::untilReleased).start()) {
      started.await();
      worker.close();

      assertThat(told()).isEqualTo("CLOSING");
      assertThat(shown(id).path("state").asString()).isEqualTo("available");
      assertThat(shown(id).path("attempt").asInt()).as("it cost no attempt").isZero();
      assertThat(api.get("/v1/nodes/" + worker.name()).field("state")).isEqualTo("stopped");
      worker.awaitStop();
    }
    CountDownLatch again = new CountDownLatch(1);
    Handler<Paid> handler =
        run -> {
          again.countDown();
          return untilReleased(run);
        };
    EbbWorker worker = worker(handler).grace(Duration.ofSeconds(30)).start();
    again.await();
    Thread closes = Thread.ofVirtual().start(worker::close);
    until(() -> !proxy.bodies("/v1/leases/stop").isEmpty());
    release.countDown();
    closes.join();
    assertThat(shown(id).path("state").asString()).isEqualTo("completed");
  }

  @Test
  void a_handler_that_hears_no_interrupt_is_given_back_too() throws Exception {
    String id = submit(job());
    CountDownLatch ended = new CountDownLatch(1);
    Handler<Paid> deaf =
        _ -> {
          started.countDown();
          while (release.getCount() > 0) {
            Thread.onSpinWait();
          }
          ended.countDown();
          return Outcome.completed();
        };
    try (EbbWorker worker = worker(deaf).start()) {
      started.await();
      worker.close();
      assertThat(shown(id).path("state").asString()).isEqualTo("available");
      release.countDown();
      ended.await();
    }
    assertThat(shown(id).path("state").asString()).isEqualTo("available");
  }

  @Test
  void a_poll_whose_answer_is_lost_is_repeated_and_its_job_runs_once() throws Exception {
    String id = submit(job());
    proxy.next(POLL, Fate.LOSE_ANSWER, Fate.LOSE_REQUEST, Fate.BUSY, Fate.FAIL);
    try (EbbWorker worker = worker(this::untilReleased).start()) {
      started.await();
      release.countDown();
      awaitState(id, "completed");
      assertThat(worker.failure()).isEmpty();
    }

    assertThat(shown(id).path("attempt").asInt()).isOne();
    assertThat(proxy.bodies(POLL).subList(0, 5)).containsOnly(proxy.bodies(POLL).get(0));
    assertThat(proxy.bodies(POLL).get(5)).isNotEqualTo(proxy.bodies(POLL).get(0));
    assertThat(told).containsExactly("released");
  }

  @Test
  void results_are_told_until_somebody_has_heard_them() throws Exception {
    String id = submit(job());
    proxy.next(SETTLE, Fate.LOSE_REQUEST, Fate.FAIL);
    try (EbbWorker _ = worker(told(Outcome.completed())).start()) {
      awaitState(id, "completed");
    }

    assertThat(proxy.bodies(SETTLE)).hasSize(3);
  }

  @Test
  void an_outcome_of_a_job_that_somebody_has_locked_keeps_no_other_waiting() throws Exception {
    String locked = submit(job());
    try (EbbWorker _ = worker(this::untilReleased).start();
        Connection connection = api.connect();
        Statement statement = connection.createStatement()) {
      started.await();
      connection.setAutoCommit(false);
      statement.execute("select from ebb.job where id = '" + locked + "' for update");
      release.countDown();
      until(() -> !proxy.bodies(SETTLE).isEmpty());

      awaitState(submit(job()), "completed");
      assertThat(shown(locked).path("state").asString()).isEqualTo("running");
      connection.rollback();
      awaitState(locked, "completed");
    }
  }

  @Test
  void where_no_outcome_is_heard_few_more_jobs_are_taken_than_there_are_slots() throws Exception {
    for (int i = 0; i < 12; i++) {
      submit(job());
    }
    AtomicInteger runs = new AtomicInteger();
    Handler<Paid> counting =
        _ -> {
          runs.incrementAndGet();
          return Outcome.completed();
        };
    proxy.next(SETTLE, Collections.nCopies(100, Fate.LOSE_REQUEST).toArray(new Fate[0]));
    try (EbbWorker _ = worker(counting).slots(2).start()) {
      until(() -> proxy.bodies(SETTLE).size() > 4);
      assertThat(runs).hasValueBetween(2, 5);
    }
  }

  @Test
  void no_more_jobs_are_asked_for_than_can_start() throws Exception {
    for (int i = 0; i < 5; i++) {
      submit(job());
    }
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Handler<Paid> handler =
        run -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          try {
            return untilReleased(run);
          } finally {
            running.decrementAndGet();
          }
        };
    try (EbbWorker _ = worker(handler).slots(2).start()) {
      until(() -> running.get() == 2);
      release.countDown();
      until(
          () -> api.number("select count(*) from ebb.history where queue = '" + queue + "'") == 5);
    }

    assertThat(most).hasValue(2);
    assertThat(proxy.bodies(POLL)).allMatch(body -> body.matches(".*\"max\":[12],.*"));
  }

  @Test
  void a_worker_that_is_drained_takes_no_job_until_it_is_let_again() throws Exception {
    try (EbbWorker worker =
        worker(this::untilReleased).longestWait(Duration.ofMillis(300)).start()) {
      until(() -> api.get("/v1/nodes/" + worker.name()).status() == 200);
      assertThat(api.post("/v1/nodes/" + worker.name() + "/drain").status()).isEqualTo(200);
      until(worker::isDraining);
      String id = submit(job());
      int polls = proxy.bodies(POLL).size();
      until(() -> proxy.bodies(POLL).size() > polls + 1);
      assertThat(shown(id).path("state").asString()).isEqualTo("available");

      api.post("/v1/nodes/" + worker.name() + "/undrain");
      release.countDown();
      awaitState(id, "completed");
      assertThat(worker.isDraining()).isFalse();
    }
  }

  @Test
  void a_worker_whose_polls_are_refused_says_so_where_it_is_awaited() {
    try (ApiServer closed = ApiServer.on("127.0.0.1")) {
      EbbHttp http = EbbHttp.at(URI.create("http://127.0.0.1:" + closed.port())).build();
      try (EbbWorker worker = http.worker("billing").on(PAID, told(Outcome.completed())).start()) {
        assertThatThrownBy(worker::awaitStop)
            .isInstanceOfSatisfying(
                EbbProblem.class,
                refused -> {
                  assertThat(refused.code()).isEqualTo("unauthenticated");
                  assertThat(worker.failure()).containsSame(refused);
                });
      }
    }
  }

  @Test
  void a_worker_needs_kinds_and_one_handler_for_each() {
    EbbWorker.Builder worker = worker(told(Outcome.completed()));

    assertThatThrownBy(() -> worker.on(PAID, told(Outcome.completed())))
        .hasMessage("two handlers of the kind paid");
    assertThatThrownBy(() -> http().worker("a").start()).hasMessageContaining("at least one kind");
    assertThatThrownBy(() -> worker.queues(new String[17])).hasMessageContaining("1 to 16 queues");
    assertThatThrownBy(() -> worker.on(JobKind.json("http"), _ -> Outcome.completed()))
        .hasMessageContaining("Ebb's own workers");
  }
}
