package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.job.WebhookId;
import dev.ebb.db.Await;
import dev.ebb.db.PostgresPair;
import dev.ebb.db.PostgresPair.Side;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.event.EventNeeds;
import dev.ebb.db.event.EventPosition;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What docs/guide/restore.md says, step by step: a database that was restored is made ready, looked
 * at while nothing runs, and resumed.
 */
@Proof
class RestoreTest {
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");
  private static final String LATE = "after-the-backup";
  private static final EventNeeds NO_MORE = new EventNeeds(false, false);

  /** Longer than a lease, and than a rescuer lets owners renew. */
  private static final int LOOK_SECONDS = 8;

  private final List<String> called = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final CountDownLatch slow = new CountDownLatch(1);
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer merchant;
  private PostgresPair pair;
  private String lost = "";

  @BeforeEach
  void start() throws IOException {
    merchant = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    merchant.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    merchant.createContext("/", this::answer);
    merchant.start();
    pair = PostgresPair.start();
    Migrations.migrate(pair.config(Side.A));
  }

  @AfterEach
  void stop() {
    slow.countDown();
    pair.close();
    merchant.stop(0);
    client.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    called.add(exchange.getRequestHeaders().getFirst("ebb-job"));
    told.add(exchange.getRequestHeaders().getFirst("webhook-id"));
    if (exchange.getRequestURI().getPath().equals("/slow")) {
      try {
        slow.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  private StartingNode node(DatabaseConfig database, String start) throws Exception {
    String host = "127.0.0.1:" + merchant.getAddress().getPort();
    StartingNode node =
        new StartingNode(
            Node::startServer,
            database,
            Map.of(
                "EBB_START",
                start,
                "EBB_LEASE",
                "2s",
                "EBB_DRAIN",
                "0s",
                "EBB_DELIVERY_ALLOW",
                host));
    node.awaitStarted();
    node.awaitStatus("/readyz", 200);
    return node;
  }

  /** Submits a delivery under a key, and answers the id of its job. */
  private String submit(StartingNode node, String path, String key) throws Exception {
    String url = "http://127.0.0.1:" + merchant.getAddress().getPort() + path;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + "/v1/jobs"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"kind\":\"http\",\"payload\":{\"url\":\"" + url + "\"}}"))
            .build();
    String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    Matcher id = ID.matcher(body);
    assertThat(id.find()).as(body).isTrue();
    return id.group(1);
  }

  private static void awaitState(StartingNode node, String job, String state) throws Exception {
    Await.until(
        job + " is " + state,
        () -> node.get("/v1/jobs/" + job).contains("\"state\":\"" + state + "\""));
  }

  private long number(Side side, String expression) throws SQLException {
    try (Connection connection = TestPostgres.connect(pair.config(side));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select " + expression)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** What was done before the backup, and where a reader of events had come to. */
  private record Before(String done, String held, EventPosition place) {}

  private Before work(StartingNode node, Database database) throws Exception {
    EventLog events = new EventLog(database);
    events.listen();
    node.put(
        "/v1/schedules/each",
        "{\"every\":\"PT1S\",\"misfire\":\"all\",\"job\":{\"kind\":\"report\",\"payload\":1}}");
    String done = submit(node, "/quick", "first");
    awaitState(node, done, "completed");
    String held = submit(node, "/slow", "held");
    awaitState(node, held, "running");
    Await.until("it is called", () -> called.contains(held));
    Await.until(
        "a schedule has fired", () -> number(Side.A, "count(*) from ebb.schedule_fire") > 0);
    return new Before(done, held, events.now());
  }

  private Settings settings(Side side) {
    return Settings.read(Map.of()).withDatabase(pair.config(side), false);
  }

  /** Has B made of A while a node works there, and ends A. */
  private Before restored(Runnable backUp) throws Exception {
    try (StartingNode node = node(pair.config(Side.A), "running");
        Database database = TestPostgres.open(pair.config(Side.A))) {
      Before before = work(node, database);
      backUp.run();
      lost = submit(node, "/quick", LATE);
      awaitState(node, lost, "completed");
      pair.kill(Side.A);
      return before;
    }
  }

  private void lookAndResume(Before before) throws Exception {
    assertThat(Restoring.restored(settings(Side.B)))
        .contains("The start is paused", "leases      1 with 1 jobs");
    int calls = called.size();
    long fires = number(Side.B, "count(*) from ebb.schedule_fire");
    long jobs = number(Side.B, "count(*) from ebb.job");
    try (StartingNode node = node(pair.config(Side.B), "paused");
        Database database = TestPostgres.open(pair.config(Side.B))) {
      String waits = submit(node, "/quick", "while-paused");
      assertThat(submit(node, "/quick", "first")).isEqualTo(before.done);
      assertThat(new CountDownLatch(1).await(LOOK_SECONDS, TimeUnit.SECONDS)).isFalse();
      assertThat(called).hasSize(calls);
      assertThat(number(Side.B, "count(*) from ebb.schedule_fire")).isEqualTo(fires);
      assertThat(number(Side.B, "count(*) from ebb.job")).isEqualTo(jobs + 1);
      assertThat(number(Side.B, "count(*) from ebb.lease")).isOne();

      EventLog events = new EventLog(database);
      events.listen();
      EventPosition place = events.now();
      assertThat(events.after(before.place, NO_MORE).torn()).isTrue();
      slow.countDown();
      assertThat(Restoring.resume(settings(Side.B))).startsWith("Resumed");

      awaitState(node, waits, "completed");
      awaitState(node, before.held, "completed");
      repeatWhatIsLost(node);
      assertThat(called.stream().filter(before.held::equals)).hasSizeGreaterThan(1);
      assertThat(called.stream().filter(before.done::equals)).hasSize(1);
      assertThat(events.after(place, NO_MORE).events()).isNotEmpty();
      awaitFires();
    }
  }

  /** The sender repeats what the backup lacks; the merchant, who was told, can leave it out. */
  private void repeatWhatIsLost(StartingNode node) throws Exception {
    String again = submit(node, "/quick", LATE);
    awaitState(node, again, "completed");
    assertThat(again).isNotEqualTo(lost);
    String webhookId = WebhookId.of(UUID.fromString(lost));
    assertThat(told.stream().filter(webhookId::equals)).hasSize(2);
  }

  /** By its rule, the schedule makes a job of each fire that was missed: second by second. */
  private void awaitFires() throws Exception {
    Await.until(
        "what was missed is served",
        () -> number(Side.B, "count(*) from ebb.schedule where next_fire_at > now()") == 1);
    assertThat(
            number(
                Side.B,
                """
                extract(epoch from max(fire_at) - min(fire_at))::bigint + 1 - count(*)
                from ebb.schedule_fire
                """))
        .isZero();
  }

  @Test
  void a_base_backup() throws Exception {
    Before before = restored(() -> pair.backUp(Side.A));
    pair.restore(Side.B);

    lookAndResume(before);
    assertThat(number(Side.B, "timeline from ebb.identity")).isOne();
  }

  @Test
  void a_point_in_time() throws Exception {
    Instant[] until = new Instant[1];
    Before before =
        restored(() -> {
          pair.backUp(Side.A);
          until[0] = now();
        });
    pair.restore(Side.B, Side.A, until[0]);

    lookAndResume(before);
    assertThat(number(Side.B, "timeline from ebb.identity")).isEqualTo(2);
  }

  private Instant now() {
    try {
      return Instant.ofEpochSecond(
          0, number(Side.A, "(extract(epoch from now()) * 1000000000)::bigint"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_dump() throws Exception {
    Before before = restored(() -> pair.dump(Side.A, Side.B));

    lookAndResume(before);
  }
}
