package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.NotificationListener;
import dev.ebb.db.notify.Notifier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The notifications that the API sends after a commit. */
@Isolated("looks for threads by their name")
class NotifierTest {
  private static final String LISTENING = "listening";
  private static final String CANCEL = "a cancel";
  private static final String DRAIN = "a drain";
  private static final String OPERATION = "an operation";

  private final FailureLog failureLog = new FailureLog(new SimpleMeterRegistry());
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @Test
  void a_write_notifies_the_workers_of_its_queue() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    try (ApiServer api = ApiServer.start(config);
        Database database = TestPostgres.open(config);
        NotificationListener _ =
            new NotificationListener(
                database,
                failureLog,
                heard::add,
                () -> heard.add(CANCEL),
                () -> heard.add(DRAIN),
                () -> heard.add(OPERATION))) {
      awaitListening(api);

      String id = api.post("/v1/jobs", job("sent", ",\"delay\":\"P1D\"")).field("id");
      assertThat(next()).isEqualTo("sent");
      api.post("/v1/jobs/batch", "{\"jobs\":[" + job("many", "") + "," + job("many", "") + "]}");
      assertThat(next()).isEqualTo("many");
      api.post("/v1/jobs/" + id + "/retry");
      assertThat(next()).isEqualTo("sent");
      api.put("/v1/queues/resumed", "{\"paused\":false}");
      assertThat(next()).isEqualTo("resumed");
      api.post("/v1/queues/resumed/pause", "");
      api.post("/v1/queues/resumed/resume", "");
      assertThat(next()).isEqualTo("resumed");
      api.send(api.request("/v1/queues/resumed").DELETE());
      assertThat(next()).isEqualTo("resumed");

      claim(api);
      api.post("/v1/jobs/" + id + "/cancel");
      assertThat(next()).isEqualTo(CANCEL);
      new Nodes(database).start(new NodeFacts("n", "1", "0", List.of(), List.of("a"), 1), false);
      api.post("/v1/nodes/n/drain");
      assertThat(next()).isEqualTo(DRAIN);
      api.post("/v1/nodes/n/undrain");
      assertThat(next()).isEqualTo(DRAIN);
      String operation =
          api.post("/v1/operations", "{\"action\":\"redrive\",\"filter\":{\"queue\":[\"none\"]}}")
              .field("id");
      assertThat(next()).isEqualTo(OPERATION);
      api.post("/v1/operations/" + operation + "/pause");
      api.post("/v1/operations/" + operation + "/resume");
      assertThat(next()).isEqualTo(OPERATION);
      assertThat(heard).allMatch(LISTENING::equals);
    }
  }

  @Test
  void the_notifier_and_the_listener_have_platform_threads_that_end_when_they_are_closed()
      throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    Set<Thread> before = threads();
    Set<Thread> own;
    try (Database database = TestPostgres.open(config);
        Notifier notifier = new Notifier(database, failureLog);
        NotificationListener _ =
            new NotificationListener(
                database, failureLog, heard::add, () -> {}, () -> {}, () -> {})) {
      Await.until(
          "somebody listens",
          () -> {
            notifier.workArrived("q");
            return "q".equals(heard.poll(100, TimeUnit.MILLISECONDS));
          });
      own = threads();
      own.removeAll(before);
      assertThat(own).hasSize(2).allMatch(Thread::isDaemon);
    }
    for (Thread thread : own) {
      assertThat(thread.join(Duration.ofMinutes(1))).as("%s has ended", thread.getName()).isTrue();
    }
  }

  /** Those of notifiers and listeners, without any that are virtual. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("ebb-(notifier|listener)"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static void claim(ApiServer api) throws Exception {
    ClaimRequest request = ClaimRequest.of("sent", "node", List.of("a"), 1, Duration.ofSeconds(15));
    assertThat(api.queue().claim(request)).isPresent();
  }

  /** Without a listener a notification is lost: repeats it until the listener is there. */
  private void awaitListening(ApiServer api) throws Exception {
    Await.until(
        "somebody listens",
        () -> {
          api.set("/v1/queues/" + LISTENING, "{\"paused\":false}");
          return LISTENING.equals(heard.poll(100, TimeUnit.MILLISECONDS));
        });
  }

  /** The next one but for those repetitions, which may arrive late. */
  private String next() throws InterruptedException {
    String next;
    do {
      next = Objects.requireNonNullElse(heard.poll(1, TimeUnit.MINUTES), "nothing");
    } while (next.equals(LISTENING));
    return next;
  }

  private static String job(String queue, String more) {
    return "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"" + more + "}";
  }
}
