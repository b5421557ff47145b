package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.roles.Receiver.Call;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.Await;
import dev.ebb.db.Dump;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.DmlRole;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What docs/guide/backup.md says: a dump that is taken under load goes into a new cluster, and
 * everything goes on there.
 */
class BackupTest {
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");
  private static final Pattern SECRET = Pattern.compile("\"secret\":\"(whsec_[^\"]+)\"");
  private static final String KEY = Base64.getEncoder().encodeToString(secretOf(7));
  private static final int LIMITED = 60;
  private static final int RATE = 10;
  private static final double BURST_SECONDS = 0.2;
  private static final int SOME = 20;

  private static final String FIRES = "select array(select fire_at::text from ebb.schedule_fire)";
  private static final String LEASES =
      "select array(select l.id::text from ebb.lease l where l.queue = 'limited')";
  private static final String LIMITER =
      "select array(select l::text from ebb.limiter l where l.queue = 'limited')";

  /** How many seconds up to the last fire had none. */
  private static final String MISSED =
      """
      select array[
        (extract(epoch from max(fire_at) - min(fire_at))::bigint + 1 - count(*))::text]
      from ebb.schedule_fire
      """;

  private static final String TWICE =
      """
      select array(
        select labels ->> 'fireAt'
        from (select labels from ebb.job union all select labels from ebb.every_history) j
        where labels ->> 'schedule' = 'each'
        group by 1
        having count(*) > 1)
      """;

  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean stops = new AtomicBoolean();
  private final TestPostgres oldServer = TestPostgres.start();
  private final TestPostgres newServer = TestPostgres.start();
  private final Receiver receiver;
  private final Supplier<List<Call>> calls;

  BackupTest() throws IOException {
    receiver = new Receiver();
    calls = receiver::calls;
  }

  private static byte[] secretOf(int content) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) content);
    return bytes;
  }

  @AfterEach
  void stop() {
    stops.set(true);
    receiver.close();
    oldServer.close();
    newServer.close();
  }

  private StartingNode node(DmlRole database) throws Exception {
    Map<String, String> variables =
        Map.of(
            "EBB_LEASE",
            "2s",
            "EBB_DRAIN",
            "0s",
            "EBB_SECRETS_KEY",
            KEY,
            "EBB_DELIVERY_ALLOW",
            receiver.host());
    StartingNode node = new StartingNode(Node::startServer, database.node(), variables);
    node.awaitStarted();
    node.awaitStatus("/readyz", 200);
    return node;
  }

  private static String group(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return found.group(1);
  }

  private static String submit(StartingNode node, String destination) throws Exception {
    String job =
        "{\"kind\":\"http\",\"destination\":\"" + destination + "\",\"payload\":{\"body\":{}}}";
    return group(ID, node.post("/v1/jobs", job));
  }

  /** Submits until it is told to stop. */
  private void load(StartingNode node) {
    try {
      while (!stops.get()) {
        acknowledged.add(submit(node, "acme"));
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> texts(DatabaseConfig database, String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return List.of((String[]) row.getArray(1).getArray());
    }
  }

  private static String lastId(StartingNode node) throws Exception {
    return node.events("", "id:").getLast().substring("id:".length()).strip();
  }

  /** What the old cluster had when the dump began. */
  private record Before(
      Dump dump, String secret, String held, Set<String> stored, String event, String limiter) {}

  private Before work(DmlRole roles, DatabaseConfig superuser) throws Exception {
    try (StartingNode node = node(roles)) {
      String secret = setUp(node);
      String limiter = limit(node, superuser);
      String held = submit(node, "slow");
      Await.until("it is called", () -> calls.get().stream().anyMatch(c -> c.job().equals(held)));
      String event = lastId(node);
      Thread load = Thread.ofVirtual().start(() -> load(node));
      Await.until("there is load", () -> acknowledged.size() > SOME);
      Await.until("a schedule has fired", () -> !texts(superuser, FIRES).isEmpty());

      Set<String> stored = Set.copyOf(acknowledged);
      Dump dump = Dump.take(superuser);
      int then = acknowledged.size();
      Await.until("the load goes on", () -> acknowledged.size() > then + SOME);
      stops.set(true);
      load.join();
      return new Before(dump, secret, held, stored, event, limiter);
    }
  }

  /** Answers the secret that signs. */
  private String setUp(StartingNode node) throws Exception {
    put(node, "acme", ",\"headers\":{\"X-Api-Key\":\"7\"}");
    put(node, "slow", "");
    node.put(
        "/v1/schedules/each",
        """
        {"every": "PT1S", "misfire": "all",
          "job": {"kind": "http", "payload": {"url": "http://%s/fired"}}}
        """
            .formatted(receiver.host()));
    return group(SECRET, node.post("/v1/destinations/acme/keys", "{}"));
  }

  private void put(StartingNode node, String destination, String more) throws Exception {
    String body = "{\"url\":\"http://%s/%s\"%s}".formatted(receiver.host(), destination, more);
    assertThat(node.put("/v1/destinations/" + destination, body)).contains(destination);
  }

  /** Has a limiter let some jobs through, pauses its queue, and answers its state then. */
  private String limit(StartingNode node, DatabaseConfig database) throws Exception {
    put(
        node,
        "limited",
        ",\"rateLimit\":{\"permitsPerSecond\":%s,\"warmUp\":\"PT4S\",\"coldFactor\":3}"
            .formatted(RATE));
    for (int i = 0; i < LIMITED; i++) {
      submit(node, "limited");
    }
    Await.until("some are let through", () -> limited().size() > 2);
    node.post("/v1/queues/limited/pause", "{\"reason\":\"a backup\"}");
    Await.until("it stands still", () -> texts(database, LEASES).isEmpty());
    return texts(database, LIMITER).getFirst();
  }

  private List<Call> limited() {
    return calls.get().stream().filter(call -> call.path().equals("/limited")).toList();
  }

  private static Set<String> ids(DatabaseConfig database, String table) throws SQLException {
    return Set.copyOf(texts(database, "select array(select id::text from " + table + ")"));
  }

  @Test
  void a_dump_taken_under_load_goes_on_in_a_new_cluster() throws Exception {
    DatabaseConfig old = oldServer.newBareDatabase();
    DmlRole from = DmlRole.in(old);
    Migrations.migrate(from.owner());
    Before before = work(from, old);
    oldServer.stop();

    DatabaseConfig restored = newServer.newBareDatabase();
    DmlRole to = DmlRole.in(restored);
    before.dump.restore(restored, to.owner());
    Settings settings = Settings.read(Map.of()).withDatabase(to.node(), false);
    assertThat(Restoring.restored(settings)).contains("The start is paused");

    assertThat(union(ids(restored, "ebb.job"), ids(restored, "ebb.every_history")))
        .contains(before.held)
        .containsAll(before.stored);
    assertThat(texts(restored, LIMITER)).containsExactly(before.limiter);
    goOn(before, to, settings, restored);
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
  }

  private void goOn(Before before, DmlRole to, Settings settings, DatabaseConfig superuser)
      throws Exception {
    Set<String> live = ids(superuser, "ebb.job");
    Set<String> ended = ids(superuser, "ebb.every_history");
    int until = calls.get().size();
    try (StartingNode node = node(to)) {
      assertThat(node.events(before.event, "event: reset")).isNotEmpty();
      assertThat(calls.get()).hasSize(until);
      assertThat(Restoring.resume(settings)).startsWith("Resumed");
      receiver.answerSlowOnes();
      submit(node, "acme");
      release(node);
      Await.until("all end", () -> ids(superuser, "ebb.every_history").containsAll(live));
      assertThat(node.events(lastId(node), "event: job")).isNotEmpty();
      assertThat(node.get("/v1/jobs/" + before.held + "/attempts")).contains("worker lost");
      Await.until("no fire is missing", () -> texts(superuser, MISSED).equals(List.of("0")));
      assertThat(texts(superuser, TWICE)).isEmpty();
    }
    List<Call> after = calls.get().subList(until, calls.get().size());
    assertThat(after)
        .extracting(Call::job)
        .contains(before.held)
        .doesNotContainAnyElementsOf(ended);
    assertThat(after)
        .filteredOn(call -> call.path().equals("/acme"))
        .isNotEmpty()
        .allMatch(call -> call.isSignedBy(before.secret) && call.key().equals("7"));
  }

  /** Ends the pause of the limited queue: it lets through no more than its rate. */
  private void release(StartingNode node) throws Exception {
    int until = limited().size();
    long since = System.nanoTime();
    node.post("/v1/queues/limited/resume", "{}");
    Await.until("it is let through", () -> limited().size() == LIMITED);
    double seconds = (System.nanoTime() - since) / 1e9;
    assertThat(LIMITED - until).isLessThanOrEqualTo((int) (RATE * (seconds + BURST_SECONDS)) + 1);
  }
}
