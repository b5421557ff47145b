package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.EventClient.Message;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.events.StreamRules;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpRequest;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The stream of events. */
@Isolated("looks for a thread by its name")
class EventsTest {
  private static final String ADMIN = "an-admin's-token-of-32-characters";
  private static final String END =
      """
      insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
        priority, cancelled, queue, kind)
      select uuidv7(), now(), now(), now(), 1, 3, 5, true, '%s', 'echo'
      from generate_series(1, %s)
      """;

  private DatabaseConfig database;
  private ApiServer api;

  @BeforeEach
  void start() {
    database = TestPostgres.shared().newDatabase();
    api = ApiServer.over(database, ApiConfig.of("127.0.0.1", 0).withStreams(rules(200)));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private static StreamRules rules(int most) {
    return new StreamRules(
        most, Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofHours(4), 50_000);
  }

  private String submit(String more) {
    Reply stored = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1" + more + "}");
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    return stored.field("id");
  }

  /** A job that has ended. */
  private String cancelled(String more) {
    String id = submit(more);
    assertThat(api.post("/v1/jobs/" + id + "/cancel").status()).isEqualTo(200);
    return id;
  }

  private void end(String queue, int jobs) {
    api.execute(END.formatted(queue, jobs));
  }

  @Test
  void a_job_that_ends_is_told_and_so_is_what_people_did() throws Exception {
    try (EventClient events = EventClient.open(api, "")) {
      assertThat(events.header("content-type")).startsWith("text/event-stream");
      assertThat(events.header("cache-control")).isEqualTo("no-store");
      assertThat(events.header("x-accel-buffering")).isEqualTo("no");

      String id = cancelled(",\"uniqueKey\":\"k\"");

      Message change = events.next("change");
      assertThat(change.field("action")).isEqualTo("job.cancel");
      assertThat(change.field("subject")).isEqualTo(id);
      Message job = events.next("job");
      assertThat(job.json().propertyNames())
          .containsExactly("id", "queue", "kind", "outcome", "attempt", "uniqueKey", "at");
      assertThat(job.field("id")).isEqualTo(id);
      assertThat(job.field("outcome")).isEqualTo("cancelled");
      assertThat(events.lastId()).isNotEmpty();
    }
  }

  @Test
  void a_browser_that_comes_back_is_told_what_it_missed_also_after_a_restart() throws Exception {
    String last;
    try (EventClient events = EventClient.open(api, "?queue=a")) {
      end("a", 1);
      events.next("job");
      last = events.lastId();
    }
    List<String> missed = new ArrayList<>();
    missed.add(cancelled(",\"queue\":\"a\""));
    cancelled(",\"queue\":\"b\"");
    api.close();
    api = ApiServer.start(database);
    missed.add(cancelled(",\"queue\":\"a\""));

    try (EventClient events = EventClient.resume(api, "?queue=a", last)) {
      assertThat(events.next("ready").json().path("resumed").asBoolean()).isTrue();
      assertThat(events.jobs(2)).containsExactlyInAnyOrderElementsOf(missed);
      String live = cancelled(",\"queue\":\"a\"");
      assertThat(events.jobs(1)).containsExactly(live);
    }
  }

  @Test
  void a_commit_that_comes_late_is_told_also_to_a_browser_that_comes_back() throws Exception {
    try (Connection late = api.connect();
        EventClient before = EventClient.open(api, "")) {
      late.setAutoCommit(false);
      late.createStatement().execute(END.formatted("late", 1));
      end("early", 1);
      assertThat(before.next("job").field("queue")).isEqualTo("early");
      try (EventClient after = EventClient.resume(api, "", before.lastId())) {
        after.next("ready");
        late.commit();
        assertThat(before.next("job").field("queue")).isEqualTo("late");
        assertThat(after.next("job").field("queue")).isEqualTo("late");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "1.1.1", "0.0.0-1", "zzzzzzzz.zzzzzzzz.zzzzzzzzzz"})
  void an_id_that_nobody_knows_has_the_browser_read_anew(String id) throws Exception {
    try (EventClient events = EventClient.resume(api, "", id)) {
      assertThat(events.status()).isEqualTo(200);
      assertThat(events.next("reset").field("reason")).isEqualTo("unknown_id");
      end("a", 1);
      events.next("job");
    }
  }

  @Test
  void an_id_of_more_than_an_hour_ago_has_the_browser_read_anew() throws Exception {
    try (EventClient events = EventClient.open(api, "")) {
      String[] parts = events.lastId().split("\\.", -1);
      long then = Long.parseLong(parts[1], 36) - Duration.ofMinutes(61).toMillis();
      String old = parts[0] + "." + Long.toString(then, 36) + "." + parts[2];
      try (EventClient late = EventClient.resume(api, "", old)) {
        assertThat(late.next("reset").field("reason")).isEqualTo("too_old");
        end("a", 1);
        late.next("job");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "queue=b",
        "q=queue:b",
        "kind=a&q=-queue:a",
        "label=m=x",
        "q=key:wanted",
        "state=cancelled&q=label:m=x",
        "q=x wanted"
      })
  void a_stream_tells_what_its_filter_lets_through(String query) throws Exception {
    try (EventClient events = EventClient.open(api, "?" + query.replace(" ", "%20"))) {
      cancelled(",\"queue\":\"a\"");
      String wanted =
          cancelled(",\"queue\":\"b\",\"uniqueKey\":\"wanted\",\"labels\":{\"m\":\"x\"}");

      assertThat(events.next("job").field("id")).isEqualTo(wanted);
    }
  }

  @Test
  void a_stream_tells_of_some_jobs_or_of_some_queues_alone() throws Exception {
    String wanted = submit("");
    try (EventClient ofJob = EventClient.open(api, "?job=" + wanted);
        EventClient ofQueue = EventClient.open(api, "?queue=b")) {
      cancelled("");
      for (String queue : List.of("a", "b")) {
        api.post("/v1/queues/" + queue + "/pause", "{\"reason\":\"test\"}");
      }
      api.post("/v1/jobs/" + wanted + "/cancel");

      assertThat(ofJob.next("change").field("subject")).isEqualTo(wanted);
      assertThat(ofJob.next("job").field("id")).isEqualTo(wanted);
      Message pause = ofQueue.next("change");
      assertThat(pause.field("subject")).isEqualTo("b");
      assertThat(pause.data()).doesNotContain("test");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "q=payload:x | q",
        "q=due%3C1h | q",
        "payload=x | payload",
        "state=running | state",
        "q=state:due | q",
        "job=x | job",
        "for=5h | for",
        "for=x | for",
        "nonsense=1 | nonsense",
        "q=nonsense:1 | q"
      })
  void a_filter_that_no_event_can_answer_is_refused(String query, String parameter) {
    Reply reply = api.get("/v1/events?" + query);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(parameter);
  }

  @Test
  void many_events_become_sums_and_none_is_lost() throws Exception {
    try (EventClient events = EventClient.open(api, "")) {
      for (int i = 0; i < 20; i++) {
        end(i % 2 == 0 ? "a" : "b", 500);
      }
      long told = 0;
      long ofQueues = 0;
      List<Long> bursts = new ArrayList<>();
      while (told < 10_000) {
        Message message = events.next(one -> one.event().startsWith("job"));
        if (message.event().equals("job")) {
          told++;
          ofQueues++;
        } else {
          bursts.add(message.nanos());
          JsonNode sums = message.json();
          assertThat(sums.path("newest").size()).isEqualTo(20);
          told += sums.path("counts").path("cancelled").asLong();
          for (JsonNode queue : sums.path("queues")) {
            ofQueues += queue.path("counts").path("cancelled").asLong();
          }
        }
      }
      assertThat(told).isEqualTo(10_000);
      assertThat(ofQueues).isEqualTo(10_000);
      assertThat(bursts).isNotEmpty();
    }
  }

  @Test
  void one_that_missed_too_much_reads_anew_and_is_told_on() throws Exception {
    String last;
    try (EventClient events = EventClient.open(api, "")) {
      last = events.lastId();
    }
    for (int i = 0; i < 4; i++) {
      end("a", 4_000);
    }
    api.close();
    api =
        ApiServer.over(
            database,
            ApiConfig.of("127.0.0.1", 0)
                .withStreams(
                    new StreamRules(
                        9,
                        Duration.ofSeconds(1),
                        Duration.ofMillis(50),
                        Duration.ofHours(1),
                        100)));
    try (EventClient events = EventClient.resume(api, "", last)) {
      assertThat(events.next("reset").field("reason")).isEqualTo("too_many");
      end("b", 1);
      assertThat(events.next("job").field("queue")).isEqualTo("b");
    }
  }

  @Test
  void a_silent_stream_sends_comments_and_how_far_it_came() throws Exception {
    try (EventClient events = EventClient.open(api, "?queue=none")) {
      String first = events.lastId();
      end("a", 1);
      Await.until(
          "the id goes on",
          () -> {
            events.next(":");
            return !events.lastId().equals(first);
          });
    }
  }

  @Test
  void no_more_streams_are_open_than_there_are_places_and_a_place_is_given_back() throws Exception {
    api.close();
    api = ApiServer.over(database, ApiConfig.of("127.0.0.1", 0).withStreams(rules(4)));
    try (EventClient first = EventClient.open(api, "")) {
      try (EventClient _ = EventClient.open(api, "")) {
        Reply third = api.get("/v1/events");
        assertThat(third.status()).isEqualTo(429);
        assertThat(third.field("code")).isEqualTo("too_many_requests");
        assertThat(third.header("retry-after")).isEqualTo("5");
      }
      Await.until("there is a place", () -> api.get("/v1/events?for=0s").status() == 200);
      assertThat(first.status()).isEqualTo(200);
    }
  }

  @Test
  void a_stream_ends_when_its_time_is_over_or_the_server_stops() throws Exception {
    try (EventClient timed = EventClient.open(api, "?for=1s");
        EventClient events = EventClient.open(api, "")) {
      assertThat(timed.next("end").data()).isEqualTo("clean");
      api.closeApi();
      assertThat(events.next("end").data()).isEqualTo("clean");
    }
  }

  @Test
  void a_stream_ends_soon_after_its_token_is_revoked() throws Exception {
    try (ApiServer closed = ApiServer.closed(database, AccessConfig.of(ADMIN, List.of("")))) {
      Reply made =
          closed.send(
              authorized(closed, "/v1/tokens", ADMIN)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString("{\"name\":\"v\",\"role\":\"viewer\"}")));
      try (EventClient events =
          EventClient.of(authorized(closed, "/v1/events", made.field("token")))) {
        events.next("ready");
        closed.execute("update ebb.token set revoked_at = now() where name = 'v'");
        assertThat(events.next("end").data()).isEqualTo("clean");
      }
    }
  }

  private static HttpRequest.Builder authorized(ApiServer api, String path, String token) {
    return api.request(path).header("Authorization", "Bearer " + token);
  }

  @Test
  void a_client_that_takes_nothing_is_cut_off_and_the_others_are_told() throws Exception {
    try (Sender slow = Sender.from("127.0.0.2", api.port());
        EventClient events = EventClient.open(api, "")) {
      slow.send("GET /v1/events HTTP/1.1¶Host: localhost¶¶");
      Await.until("both are there", () -> streams() == 2);

      Await.until(
          "it is cut off",
          () -> {
            manyChanges();
            events.next("change");
            return streams() == 1;
          });
    }
  }

  /** As large as a burst may be. */
  private void manyChanges() {
    api.execute(
        """
        insert into ebb.audit (actor, action, subject, affected)
        select 'a', 'queue.pause', repeat('x', 8000), 1 from generate_series(1, 90)
        """);
  }

  private double streams() {
    return api.meters().get("ebb.event.streams").gauge().value();
  }

  @Test
  void while_nobody_listens_nothing_is_asked_of_the_database() throws Exception {
    String asked =
        """
        select coalesce(sum(calls), 0)
        from pg_stat_statements s
        join pg_database d on d.oid = s.dbid
        where d.datname = current_database()
          and (s.query like '%ebb.event%' or s.query like '%pg_current_snapshot%'
            or s.query like '%ebb.listening%')
          and s.query not like '%pg_stat_statements%'
        """;
    api.execute("create extension pg_stat_statements");
    assertThat(api.number(asked)).isZero();
    try (EventClient _ = EventClient.open(api, "")) {
      assertThat(api.number(asked)).isPositive();
    }
    Await.until("the stream has ended", () -> streams() == 0);
    Await.until("the reader waits without an end", () -> reader() == Thread.State.WAITING);
    long before = api.number(asked);
    cancelled("");

    assertThat(reader()).isEqualTo(Thread.State.WAITING);
    assertThat(api.number(asked)).isEqualTo(before);
  }

  private static Thread.State reader() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("ebb-events"))
        .map(Thread::getState)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_stream_answers_a_head_at_once() {
    Reply head =
        api.send(api.request("/v1/events").method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("content-type")).startsWith("text/event-stream");
  }
}
