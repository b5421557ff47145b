package dev.ebb.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A node that cannot open what the others have sealed. */
class WrongKeyTest {
  private static final String QUEUE = "acme";
  private static final RateLimit LIMIT = RateLimit.of(200, Duration.ZERO, 1);

  private static final String NOTE_PERMITS =
      """
      create table public.permits (node text, permits int);
      create function public.note_permits() returns trigger language plpgsql as $$
        begin
          insert into public.permits values (new.node, cardinality(new.job_ids));
          return null;
        end
      $$;
      create trigger note_permits after insert on ebb.lease
      for each row execute function public.note_permits();
      """;

  private static final SecretBox WRONG =
      SecretBox.parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

  private static Worker worker(WorkerBench bench, HttpHandler handler) {
    return worker(bench, WorkerBench.settings(), handler);
  }

  private static Worker worker(WorkerBench bench, WorkerConfig config, HttpHandler handler) {
    return Worker.start(bench.database, config, Map.of("http", handler), new SimpleMeterRegistry());
  }

  /** Answers 204, whatever comes. */
  private static HttpServer receiver() throws IOException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    receiver.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
    return receiver;
  }

  private static HttpHandler handler(SecretBox box) {
    return new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"), box);
  }

  private static void create(Queues queues, HttpServer receiver) throws Exception {
    URI url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
    Destination destination =
        new Destination(url, null, Map.of(), ResponseRules.DEFAULT, null, Map.of());
    QueueSettings settings =
        new QueueSettings(false, WorkerBench.QUICK, LIMIT, null).to(destination);
    var _ = queues.putDestination(QUEUE, settings, Bench.ACT, _ -> {});
    byte[] secret = "a secret of thirty bytes or so".getBytes(UTF_8);
    String sealed = TestSecrets.seal(secret, SigningKey.context(QUEUE, "key_1"));
    SigningKey key = new SigningKey("key_1", SigningScheme.V1, sealed, null, Instant.EPOCH, null);
    var _ = queues.changeKeys(QUEUE, _ -> List.of(key), Bench.ACT);
  }

  @Test
  void its_jobs_spend_no_attempt_and_another_node_delivers_them() throws Exception {
    HttpServer receiver = receiver();
    try (WorkerBench bench = new WorkerBench();
        HttpHandler wrong = handler(WRONG);
        HttpHandler right = handler(TestSecrets.BOX)) {
      create(new Queues(bench.database), receiver);
      UUID job =
          bench.submit(NewJob.builder("http", "{\"body\":1}").queue(QUEUE).maxAttempts(1).build());
      NodeFacts other =
          new NodeFacts("right", "1", "0", List.of(), List.of(), 1, TestSecrets.BOX.ids());
      var _ = new Nodes(bench.database).start(other, false);
      try (Worker worker = worker(bench, wrong)) {
        Await.until("it was given back", () -> bench.count("ebb.job where snoozes > 0") == 1);
        Await.until("the node is not ready", () -> worker.lastingTrouble() != null);
        assertThat(worker.lastingTrouble()).contains("EBB_SECRETS_KEY");
        assertThat(bench.count("ebb.node where missing_keys <> '{}'")).isOne();
      }
      assertThat(bench.view(job).attempt()).isZero();

      bench.execute("update ebb.job set run_at = now()");
      try (Worker worker = worker(bench, right)) {
        bench.awaitState(job, JobState.COMPLETED);
        assertThat(worker.lastingTrouble()).isNull();
      }
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void the_permits_of_a_destination_go_to_the_node_that_can_deliver() throws Exception {
    HttpServer receiver = receiver();
    try (WorkerBench bench = new WorkerBench();
        HttpHandler wrong = handler(WRONG);
        HttpHandler right = handler(TestSecrets.BOX)) {
      create(new Queues(bench.database), receiver);
      bench.execute(NOTE_PERMITS);
      NewJob job = NewJob.builder("http", "{\"body\":1}").queue(QUEUE).build();
      for (int i = 0; i < 3; i++) {
        bench.jobs.submit(Collections.nCopies(1_000, job));
      }
      try (Worker _ = worker(bench, WorkerBench.settings().withNode("wrong"), wrong);
          Worker _ = worker(bench, WorkerBench.settings().withNode("right"), right)) {
        // Until its first outcome is written a node that has just begun takes what it can.
        Await.until("it gave some back", () -> bench.count("ebb.job where snoozes > 0") > 0);
        bench.execute("truncate public.permits");
        long before = bench.count("ebb.history");
        Await.until(
            "eight seconds' worth is delivered",
            Duration.ofMinutes(2),
            () -> bench.count("ebb.history") >= before + 1_600);
      }
      assertThat(permits(bench, "wrong")).isLessThan(permits(bench, "right") / 20);
    } finally {
      receiver.stop(0);
    }
  }

  private static long permits(WorkerBench bench, String node) throws SQLException {
    return bench.count(
        "(select generate_series(1, permits) from public.permits where node = '"
            + node
            + "') permit");
  }
}
