package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two API nodes behind a balancer that knows no HTTP. */
class TwoApisTest {
  private static final int CLIENTS = 8;
  private static final int RESTARTS = 6;
  private static final String JOB = "{\"kind\":\"report\",\"queue\":\"q\",\"payload\":1}";

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();
  private final List<StartingNode> nodes = new ArrayList<>();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private Balancer balancer;

  @BeforeEach
  void start() throws Exception {
    balancer = new Balancer();
    addNode();
    addNode();
  }

  @AfterEach
  void stop() throws IOException {
    clients.shutdownNow();
    nodes.forEach(StartingNode::close);
    balancer.close();
  }

  private void addNode() throws Exception {
    StartingNode node = new StartingNode(Node::startApi, database, Map.of());
    nodes.add(node);
    node.awaitStatus("/readyz", 200);
    balancer.add(node.port());
  }

  @Test
  void what_one_did_the_other_knows_at_once() throws Exception {
    HttpResponse<String> first = post("/v1/jobs", JOB, "one-key");
    String job = "/v1/jobs/" + field(first, "id");
    put("/v1/queues/q", "{\"paused\":true}");

    Set<String> ids = new TreeSet<>();
    Set<String> jobTags = new TreeSet<>();
    Set<String> queueTags = new TreeSet<>();
    for (int i = 0; i < 4; i++) {
      ids.add(field(post("/v1/jobs", JOB, "one-key"), "id"));
      jobTags.add(tag(get(job)));
      queueTags.add(tag(get("/v1/queues/q")));
    }

    assertThat(ids).containsExactly(field(first, "id"));
    assertThat(jobTags).hasSize(1);
    assertThat(queueTags).hasSize(1);
  }

  @Test
  void a_list_that_one_began_the_other_goes_on_with() throws Exception {
    Set<String> submitted = new TreeSet<>();
    for (int i = 0; i < 7; i++) {
      submitted.add(field(post("/v1/jobs", JOB, "key-" + i), "id"));
    }

    Set<String> listed = new TreeSet<>();
    String cursor = "";
    do {
      HttpResponse<String> page = get("/v1/jobs?limit=2" + cursor);
      matches(page, "\"id\":\"([^\"]+)\"").forEach(listed::add);
      List<String> next = matches(page, "\"nextCursor\":\"([^\"]+)\"");
      cursor = next.isEmpty() ? "" : "&cursor=" + next.getFirst();
    } while (!cursor.isEmpty());

    assertThat(listed).isEqualTo(submitted);
  }

  @Test
  void a_caller_that_waits_at_one_is_told_what_is_done_at_the_other() throws Exception {
    HttpResponse<String> stored = post("/v1/jobs", JOB, "waited-for");
    String job = "/v1/jobs/" + field(stored, "id");
    HttpRequest.Builder waiting =
        HttpRequest.newBuilder(balancer.uri(job + "?wait=PT60S"))
            .header("If-None-Match", tag(get(job)));
    // Of the two connections that follow each other, one goes to each node.
    Future<HttpResponse<String>> changed = clients.submit(() -> send(waiting));

    HttpResponse<String> cancelled = post(job + "/cancel", "", "cancel");

    assertThat(cancelled.statusCode()).isEqualTo(200);
    assertThat(changed.get(30, TimeUnit.SECONDS).body()).contains("\"state\":\"cancelled\"");
  }

  @Test
  @Proof
  void a_rolling_restart_under_load_fails_no_request_but_by_a_reset() throws Exception {
    AtomicBoolean stopping = new AtomicBoolean();
    AtomicInteger resets = new AtomicInteger();
    Queue<String> ids = new ConcurrentLinkedQueue<>();
    Semaphore answers = new Semaphore(0);
    List<Future<?>> load = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String name = "client-" + i;
      load.add(clients.submit(() -> submitUntil(stopping, name, ids, answers, resets)));
    }

    for (int i = 0; i < RESTARTS; i++) {
      addNode();
      StartingNode oldest = nodes.removeFirst();
      balancer.remove(oldest.port());
      oldest.close();
      answers.drainPermits();
      assertThat(answers.tryAcquire(100, 1, TimeUnit.MINUTES))
          .as("100 answers, with %s", load)
          .isTrue();
    }
    stopping.set(true);
    for (Future<?> client : load) {
      client.get(1, TimeUnit.MINUTES);
    }

    System.out.printf(
        "%s restarts under %s clients: %s jobs, %s resets%n",
        RESTARTS, CLIENTS, ids.size(), resets.get());
    assertThat(Set.copyOf(ids)).hasSameSizeAs(ids);
    assertThat(number("select count(*) from ebb.job")).isEqualTo(ids.size());
  }

  private Void submitUntil(
      AtomicBoolean stopping,
      String name,
      Queue<String> ids,
      Semaphore answers,
      AtomicInteger resets)
      throws HttpTimeoutException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().build()) {
      for (int i = 0; !stopping.get(); i++) {
        String key = name + "-" + i;
        HttpResponse<String> response = untilAnswered(client, submit(key), resets);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        String id = field(response, "id");
        HttpResponse<String> found = untilAnswered(client, find(id), resets);
        assertThat(found.statusCode()).as("%s just created: %s", id, found.body()).isEqualTo(200);
        assertThat(field(found, "id")).isEqualTo(id);
        ids.add(id);
        answers.release();
      }
      return null;
    }
  }

  private static HttpResponse<String> untilAnswered(
      HttpClient client, HttpRequest request, AtomicInteger resets)
      throws HttpTimeoutException, InterruptedException {
    while (true) {
      try {
        return client.send(request, BodyHandlers.ofString());
      } catch (HttpTimeoutException hung) {
        throw hung;
      } catch (IOException reset) {
        resets.incrementAndGet();
      }
    }
  }

  /** On the connection of the submit, or, if that was reset, at whichever node is next. */
  private HttpRequest find(String id) {
    return request("/v1/jobs/" + id).GET().build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(balancer.uri(path))
        .version(HttpClient.Version.HTTP_1_1)
        .timeout(Duration.ofSeconds(30));
  }

  private HttpRequest submit(String key) {
    return request("/v1/jobs")
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString(JOB))
        .build();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(balancer.uri(path)));
  }

  private HttpResponse<String> put(String path, String json) throws Exception {
    return send(
        HttpRequest.newBuilder(balancer.uri(path))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json)));
  }

  private HttpResponse<String> post(String path, String json, String key) throws Exception {
    return send(
        HttpRequest.newBuilder(balancer.uri(path))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(json)));
  }

  /** On a connection of its own, so that the balancer sends each to the next node. */
  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          request.version(HttpClient.Version.HTTP_1_1).build(), BodyHandlers.ofString());
    }
  }

  private static String tag(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
    return response.headers().firstValue("etag").orElseThrow();
  }

  private static String field(HttpResponse<String> response, String name) {
    return matches(response, "\"" + name + "\":\"([^\"]+)\"").getFirst();
  }

  private static List<String> matches(HttpResponse<String> response, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(response.body());
    return matcher.results().map(found -> found.group(1)).toList();
  }

  private long number(String sql) throws Exception {
    try (Connection connection = TestPostgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
