package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.Settlement;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Workers that poll over HTTP. */
class LeasesTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static ApiServer api;
  private String queue = "";
  private String worker = "";

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void newNames() {
    int n = NUMBER.incrementAndGet();
    queue = "queue-" + n;
    worker = "worker-" + n;
  }

  private String submit(String payload, String more) {
    Reply stored =
        api.post(
            "/v1/jobs",
            "{\"kind\":\"paid\",\"queue\":\"" + queue + "\",\"payload\":" + payload + more + "}");
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    return stored.field("id");
  }

  private String submit() {
    return submit("{}", "");
  }

  static String poll(String worker, String queue, int most, String wait, String more) {
    String asked = "\"queues\":[\"" + queue + "\"],\"kinds\":[\"paid\"],\"max\":" + most;
    return "{\"worker\":\"" + worker + "\"," + asked + ",\"wait\":\"" + wait + "\"" + more + "}";
  }

  private Reply polled(int most, String wait, String more) {
    return api.post("/v1/leases", poll(worker, queue, most, wait, more));
  }

  private JsonNode lease(int most) {
    Reply reply = polled(most, "PT5S", "");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  private CompletableFuture<Reply> waiting(String wait) {
    return CompletableFuture.supplyAsync(() -> polled(1, wait, ""));
  }

  static String lease(JsonNode lease) {
    return lease.path("lease").asString();
  }

  private static String job(JsonNode lease, int n) {
    return lease.path("jobs").path(n).path("id").asString();
  }

  static String result(JsonNode lease, int n, String outcome) {
    return "{\"lease\":\"" + lease(lease) + "\",\"id\":\"" + job(lease, n) + "\"," + outcome + "}";
  }

  static String outcome(String word) {
    return "\"outcome\":\"" + word + "\"";
  }

  private JsonNode settle(String... results) {
    Reply reply =
        api.post(
            "/v1/leases/settle",
            "{\"worker\":\"" + worker + "\",\"results\":[" + String.join(",", results) + "]}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  private JsonNode renew(JsonNode lease) {
    Reply reply =
        api.post(
            "/v1/leases/renew",
            "{\"worker\":\"" + worker + "\",\"leases\":[\"" + lease(lease) + "\"]}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  private static JsonNode shown(String id) {
    return api.get("/v1/jobs/" + id).json();
  }

  @Test
  void a_job_is_leased_with_its_payload_to_the_byte() {
    String payload = "{\"b\": 1.50,  \"a\":[1,\"\\u00e9\"],\"n\":12345678901234567890}";
    String id = submit(payload, ",\"labels\":{\"order\":\"7\"},\"timeout\":\"PT30S\"");

    Reply reply = polled(10, "PT5S", "");

    assertThat(reply.body()).contains("\"payload\":" + payload);
    assertThat(reply.header("Ebb-Protocol")).isEqualTo("1");
    JsonNode lease = reply.json();
    assertThat(lease.path("queue").asString()).isEqualTo(queue);
    assertThat(lease.path("length").asString()).isEqualTo("PT15S");
    assertThat(job(lease, 0)).isEqualTo(id);
    JsonNode job = lease.path("jobs").path(0);
    assertThat(job.path("attempt").asInt()).isEqualTo(1);
    assertThat(job.path("timeout").asString()).isEqualTo("PT30S");
    assertThat(job.path("labels").path("order").asString()).isEqualTo("7");
    assertThat(shown(id).path("state").asString()).isEqualTo("running");
    assertThat(shown(id).path("node").asString()).isEqualTo(worker);
  }

  @Test
  void a_lease_has_as_many_jobs_as_were_asked_for() {
    for (int i = 0; i < 70; i++) {
      submit();
    }

    assertThat(lease(64).path("jobs").size()).isEqualTo(64);
    assertThat(lease(64).path("jobs").size()).isEqualTo(6);
    assertThat(polled(64, "PT0S", "").status()).isEqualTo(204);
  }

  @Test
  void a_poll_waits_for_a_commit_and_not_for_a_rollback() throws Exception {
    CompletableFuture<Reply> waiting = waiting("PT20S");
    String id;
    try (Connection connection = api.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      String submit = "select id from ebb.submit('paid', '{}', queue => '" + queue + "')";
      statement.execute(submit);
      connection.rollback();
      try (var row = statement.executeQuery(submit)) {
        row.next();
        id = row.getString(1);
      }
      assertThat(waiting).isNotDone();
      connection.commit();
    }

    Reply reply = waiting.get(10, TimeUnit.SECONDS);
    assertThat(job(reply.json(), 0)).isEqualTo(id);
    assertThat(reply.json().path("jobs").size()).isEqualTo(1);
    assertThat(polled(9, "PT0S", "").status()).isEqualTo(204);
  }

  @Test
  void a_retry_that_becomes_due_ends_a_wait() throws Exception {
    submit("{}", ",\"delay\":\"PT1S\"");

    assertThat(waiting("PT20S").get(15, TimeUnit.SECONDS).status()).isEqualTo(200);
  }

  @Test
  void a_poll_that_is_repeated_gets_its_lease_again_and_no_other_token_does() {
    submit();
    submit();

    Reply first = polled(1, "PT5S", ",\"requestId\":\"r-1\"");
    Reply again = polled(1, "PT5S", ",\"requestId\":\"r-1\"");
    Reply other = polled(1, "PT5S", ",\"requestId\":\"r-2\"");

    assertThat(((ObjectNode) again.json()).without("expiresAt"))
        .isEqualTo(((ObjectNode) first.json()).without("expiresAt"));
    assertThat(lease(other.json())).isNotEqualTo(lease(first.json()));
    settle(result(first.json(), 0, outcome("completed")));
    assertThat(polled(1, "PT0S", ",\"requestId\":\"r-1\"").status()).isEqualTo(204);
  }

  @Test
  void two_polls_with_one_request_id_share_a_lease() throws Exception {
    List<CompletableFuture<Reply>> polls =
        IntStream.range(0, 2)
            .mapToObj(_ ->
                CompletableFuture.supplyAsync(() -> polled(1, "PT20S", ",\"requestId\":\"r\"")))
            .toList();
    submit();
    submit();

    Set<String> leases = new HashSet<>();
    for (CompletableFuture<Reply> poll : polls) {
      leases.add(lease(poll.get(20, TimeUnit.SECONDS).json()));
    }
    assertThat(leases).hasSize(1);
  }

  @Test
  void a_renewal_makes_a_lease_last_its_length_again_but_not_beyond_its_jobs() {
    submit("{}", ",\"timeout\":\"PT10S\"");
    JsonNode lease = lease(1);
    String id = lease(lease);
    api.execute("update ebb.lease set expires_at = claimed_at + interval '9 s' where id = " + id);

    JsonNode renewal = renew(lease);

    assertThat(renewal.path("lost").size()).isZero();
    assertThat(renewal.path("renewed").path(0).path("lease").asString()).isEqualTo(id);
    Instant expiresAt = Instant.parse(renewal.path("renewed").path(0).path("expiresAt").asString());
    assertThat(expiresAt).isAfter(Instant.parse(lease.path("expiresAt").asString()));
    api.execute(
        "update ebb.lease set claimed_at = claimed_at - interval '1 h',"
            + " expires_at = now() + interval '3 s' where id = "
            + id);
    renew(lease);
    assertThat(
            api.number(
                "select (expires_at < now() + interval '4 s')::int from ebb.lease"
                    + " where id = "
                    + id))
        .as("the attempts of all its jobs must have ended long ago")
        .isOne();
  }

  @Test
  void progress_and_cancels_go_with_a_renewal() {
    String id = submit();
    JsonNode lease = lease(1);
    api.post("/v1/jobs/" + id + "/cancel");

    Reply reply =
        api.post(
            "/v1/leases/renew",
            "{\"worker\":\""
                + worker
                + "\",\"leases\":[\""
                + lease(lease)
                + "\"],\"progress\":{\""
                + id
                + "\":{\"percent\":40}}}");

    assertThat(reply.json().path("cancel").path(0).asString()).isEqualTo(id);
    assertThat(shown(id).path("progress").path("percent").asInt()).isEqualTo(40);
    JsonNode settled = settle(result(lease, 0, outcome("cancelled")));
    assertThat(settled.path("settled").path(0).path("became").asString()).isEqualTo("cancelled");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'outcome':'completed' | completed",
        "'outcome':'completed','result':{'booking':'B7'},'tookMs':3 | completed",
        "'outcome':'failed','reason':'away','message':'later' | available",
        "'outcome':'throttled','reason':'busy','retryAfter':'PT5S' | available",
        "'outcome':'not_ready','delay':'PT5S' | available",
        "'outcome':'not_ready' | available",
        "'outcome':'fatal','reason':'gone','message':'no such account' | dead_letter",
        "'outcome':'cancelled' | cancelled",
        "'outcome':'given_back' | available"
      })
  void the_server_decides_what_an_outcome_means(String outcome, String became) {
    String id = submit();
    JsonNode lease = lease(1);

    JsonNode settled = settle(result(lease, 0, outcome.replace('\'', '"')));

    JsonNode one = settled.path("settled").path(0);
    assertThat(one.path("became").asString()).isEqualTo(became);
    assertThat(one.path("runAt").isMissingNode()).isNotEqualTo(became.equals("available"));
    assertThat(shown(id).path("state").asString()).isEqualTo(became);
    assertThat(api.number("select count(*) from ebb.lease where id = " + lease(lease))).isZero();
    if (outcome.contains("booking")) {
      assertThat(shown(id).path("result").path("booking").asString()).isEqualTo("B7");
    }
    if (outcome.contains("reason")) {
      assertThat(shown(id).path("lastError").path("reason").asString()).isNotEmpty();
    }
  }

  @Test
  void a_job_is_settled_once_and_only_under_a_lease_that_stands() {
    submit();
    submit();
    JsonNode lease = lease(2);
    String first = result(lease, 0, outcome("completed"));

    assertThat(settle(first).path("settled").size()).isOne();
    assertThat(settle(first).path("refused").path(0).path("why").asString()).isEqualTo("settled");
    assertThat(renew(lease).path("renewed").size()).as("another job is left").isOne();
    settle(result(lease, 1, outcome("completed")));
    assertThat(settle(first).path("refused").path(0).path("why").asString())
        .isEqualTo("lease_ended");
    assertThat(renew(lease).path("lost").path(0).asString()).isEqualTo(lease(lease));
    assertThat(api.number("select count(*) from ebb.history where queue = '" + queue + "'"))
        .isEqualTo(2);
  }

  @Test
  void a_lease_that_expired_and_was_rescued_settles_nothing() throws Exception {
    String id = submit();
    JsonNode lease = lease(1);
    api.execute(
        "update ebb.lease set expires_at = now() - interval '1 s' where id = " + lease(lease));
    api.queue().rescue(10, Instant.now(), (claimed, outcome, now) -> new Settlement.GiveBack());

    assertThat(settle(result(lease, 0, outcome("completed"))).path("refused").size()).isOne();
    assertThat(shown(id).path("state").asString()).isEqualTo("available");
  }

  @Test
  void a_job_that_somebody_has_locked_is_to_be_sent_again() throws SQLException {
    String id = submit();
    JsonNode lease = lease(1);
    String result = result(lease, 0, outcome("completed"));
    try (Connection connection = api.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select from ebb.job where id = '" + id + "' for update");
      assertThat(settle(result).path("locked").path(0).path("id").asString()).isEqualTo(id);
      connection.rollback();
    }

    assertThat(settle(result).path("settled").size()).isOne();
  }

  @Test
  void a_worker_that_drains_gets_no_jobs_until_it_is_let_again() throws Exception {
    assertThat(polled(1, "PT0S", "").status()).isEqualTo(204);
    assertThat(api.post("/v1/nodes/" + worker + "/drain").status()).isEqualTo(200);
    submit();

    Reply held = polled(1, "PT0.3S", "");
    assertThat(held.status()).isEqualTo(204);
    assertThat(held.header("Ebb-Held")).isEqualTo("drain");

    CompletableFuture<Reply> waiting = waiting("PT20S");
    api.post("/v1/nodes/" + worker + "/undrain");
    assertThat(waiting.get(15, TimeUnit.SECONDS).status()).isEqualTo(200);
  }

  @Test
  void a_worker_that_stops_has_its_polls_end() throws Exception {
    CompletableFuture<Reply> waiting = waiting("PT30S");
    assertThat(polled(1, "PT0S", "").status()).isEqualTo(204);

    assertThat(api.post("/v1/leases/stop", "{\"worker\":\"" + worker + "\"}").status())
        .isEqualTo(204);

    assertThat(waiting.get(15, TimeUnit.SECONDS).header("Ebb-Held")).isEqualTo("stopped");
    submit();
    assertThat(polled(1, "PT20S", "").header("Ebb-Held")).isEqualTo("stopped");
    assertThat(api.get("/v1/nodes/" + worker).field("state")).isEqualTo("stopped");
  }

  @Test
  void a_worker_is_shown_among_the_nodes_and_takes_no_nodes_name() {
    polled(1, "PT0S", ",\"slots\":20,\"client\":\"ebb-python/0.1.0\"");

    JsonNode node = api.get("/v1/nodes/" + worker).json();
    assertThat(node.path("polls").asBoolean()).isTrue();
    assertThat(node.path("version").asString()).isEqualTo("ebb-python/0.1.0");
    assertThat(node.path("concurrency").asInt()).isEqualTo(20);
    assertThat(node.path("kinds").path(0).asString()).isEqualTo("paid");
    api.execute("update ebb.node set holder = null where name = '" + worker + "'");
    Reply taken = polled(1, "PT0S", "");
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.field("code")).isEqualTo("worker_name_taken");
  }

  @Test
  void polls_share_what_the_rate_of_a_queue_lets_through() {
    api.set("/v1/queues/" + queue, "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":20}}");
    for (int i = 0; i < 30; i++) {
      submit();
    }
    long began = System.nanoTime();

    List<CompletableFuture<Integer>> pollers = new ArrayList<>();
    AtomicInteger left = new AtomicInteger(30);
    for (int p = 0; p < 3; p++) {
      pollers.add(CompletableFuture.supplyAsync(() -> pollUntilNoneIsLeft(left)));
    }
    int got = pollers.stream().mapToInt(CompletableFuture::join).sum();

    assertThat(got).isEqualTo(30);
    // 30 permits at 20 a second, of which a burst of 50 ms comes at once.
    assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_350));
  }

  private int pollUntilNoneIsLeft(AtomicInteger left) {
    int got = 0;
    while (left.get() > 0) {
      Reply reply = polled(10, "PT0.2S", "");
      int jobs = reply.status() == 200 ? reply.json().path("jobs").size() : 0;
      left.addAndGet(-jobs);
      got += jobs;
    }
    return got;
  }

  @Test
  void no_more_than_max_concurrency_are_leased_and_a_settle_makes_room() throws Exception {
    api.set("/v1/queues/" + queue, "{\"paused\":false,\"maxConcurrency\":1}");
    submit();
    submit();
    JsonNode lease = lease(10);
    assertThat(lease.path("jobs").size()).isOne();
    Reply held = polled(1, "PT0.3S", "");
    assertThat(held.header("Ebb-Held")).isEqualTo("full");

    CompletableFuture<Reply> waiting = waiting("PT20S");
    settle(result(lease, 0, outcome("completed")));

    assertThat(waiting.get(15, TimeUnit.SECONDS).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'queues':['Q'],'kinds':['paid'] | /queues",
        "'queues':[],'kinds':['paid'] | /queues",
        "'queues':['q'],'kinds':['http'] | /kinds",
        "'queues':['q'],'kinds':['paid'],'max':65 | /max",
        "'queues':['q'],'kinds':['paid'],'lease':'PT1S' | /lease",
        "'queues':['q'],'kinds':['paid'],'wait':'PT31S' | /wait",
        "'queues':['q'],'kinds':['paid'],'nope':1 | /nope"
      })
  void a_poll_that_breaks_a_rule_is_refused_at_its_field(String fields, String pointer) {
    Reply reply = api.post("/v1/leases", ("{'worker':'w'," + fields + "}").replace('\'', '"'));

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
  }

  @Test
  void results_that_break_a_rule_are_refused_as_a_whole() {
    submit();
    JsonNode lease = lease(1);
    String results =
        "{\"worker\":\"w\",\"results\":["
            + result(lease, 0, outcome("completed"))
            + ","
            + result(lease, 0, outcome("failed"))
            + "]}";

    Reply reply =
        api.send(
            api.request("/v1/leases/settle")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(results)));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo("/results/1/reason");
    assertThat(settle(result(lease, 0, outcome("completed"))).path("settled").size()).isOne();
  }

  @Test
  void a_hundred_polls_wait_without_a_connection_of_the_database() throws Exception {
    List<CompletableFuture<Reply>> polls = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        polls.add(CompletableFuture.supplyAsync(() -> polled(1, "PT30S", ""), threads));
      }
      for (int i = 0; i < 100; i++) {
        submit();
      }
      Set<String> jobs = new HashSet<>();
      for (CompletableFuture<Reply> poll : polls) {
        jobs.add(job(poll.get(60, TimeUnit.SECONDS).json(), 0));
      }
      assertThat(jobs).hasSize(100);
    }
  }
}
