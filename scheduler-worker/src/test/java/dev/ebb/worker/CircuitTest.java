package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.Circuit.Phase;
import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseClass;
import dev.ebb.core.http.ResponseClass.Effect;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.StatusSet;
import dev.ebb.core.http.SuccessRule;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.CircuitView;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes that deliver to destinations which fail. */
class CircuitTest {
  private static final String QUEUE = "acme";
  private static final CircuitRule RULE = rule(true, Duration.ofSeconds(1), 3);
  private static final CircuitRule NONE = rule(false, Duration.ofSeconds(1), 3);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CircuitRule HOUR_LONG = rule(true, HOUR, 1);
  private static final RetryPolicy PATIENT =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(200), 1, Duration.ofMillis(200))),
          50);
  private static final int JOBS = 400;

  private final WorkerBench bench = new WorkerBench();
  private final Queues queues = new Queues(bench.database);
  private final Circuits circuits = new Circuits(bench.database);
  private final Merchant merchant;
  private final HttpHandler handler =
      new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"));
  private final List<Worker> workers = new ArrayList<>();

  CircuitTest() throws IOException {
    merchant = new Merchant(1, Duration.ofMillis(1));
  }

  @AfterEach
  void close() {
    merchant.release();
    workers.forEach(Worker::close);
    handler.close();
    merchant.close();
    bench.close();
  }

  private static CircuitRule rule(boolean enabled, Duration open, int probes) {
    CircuitRule usual = CircuitRule.DEFAULT;
    return new CircuitRule(
        enabled, 0.5, 20, 5, usual.window(), open, open, usual.disableAfter(), probes);
  }

  private void address(CircuitRule rule) throws SQLException {
    address(rule, ResponseRules.DEFAULT);
  }

  private void address(CircuitRule rule, ResponseRules rules) throws SQLException {
    Destination destination =
        new Destination(URI.create(merchant.url()), null, Map.of(), rules, null, Map.of())
            .with(rule);
    var _ = queues.putDestination(QUEUE, settings().to(destination), Bench.ACT, _ -> {});
  }

  /** So slow that few attempts end between two tellings. */
  private static QueueSettings settings() {
    return new QueueSettings(false, PATIENT, RateLimit.of(200, Duration.ZERO, 1), null);
  }

  private void start(int nodes) {
    for (int node = 0; node < nodes; node++) {
      WorkerConfig config = WorkerBench.settings().withConcurrency(10);
      workers.add(
          Worker.start(bench.database, config, Map.of("http", handler), new SimpleMeterRegistry()));
    }
  }

  private void submit(int jobs) throws SQLException {
    NewJob job = NewJob.builder("http", "{\"body\":{\"order\":7}}").queue(QUEUE).build();
    bench.jobs.submit(Collections.nCopies(jobs, job));
  }

  private Circuit circuit() throws SQLException {
    return circuits.find(QUEUE).map(CircuitView::circuit).orElseThrow();
  }

  private long failedAttempts() throws SQLException {
    return bench.count("ebb.attempt where outcome = 'failed'");
  }

  @Test
  void jobs_wait_for_a_destination_that_fails_and_each_spends_at_most_a_few_attempts_on_it()
      throws Exception {
    address(RULE);
    submit(JOBS);
    start(2);
    Await.until("it opens", () -> circuit().phase() != Phase.CLOSED);
    Await.until(
        "it opens again", () -> circuit().outage() != null && circuit().outage().openings() >= 3);
    merchant.mend();

    Await.until("all are delivered", () -> bench.count("ebb.job") == 0);

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    // What was under way when it opened, and the probes: without a circuit it is thousands.
    assertThat(failedAttempts()).isLessThan(JOBS / 2);
    assertThat(bench.count("ebb.audit where action = 'destination.circuit_opened'")).isEqualTo(1);
    assertThat(bench.count("ebb.audit where action = 'destination.circuit_closed'")).isEqualTo(1);
  }

  @Test
  void a_node_that_reaches_no_destination_says_so_by_its_heartbeat() throws Exception {
    try (Socket refusing = new Socket()) {
      refusing.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI nowhere = URI.create("http://127.0.0.1:" + refusing.getLocalPort() + "/");
      for (int i = 0; i < 8; i++) {
        Destination destination =
            new Destination(nowhere, null, Map.of(), ResponseRules.DEFAULT, null, Map.of())
                .with(RULE);
        var _ = queues.putDestination("m" + i, settings().to(destination), Bench.ACT, _ -> {});
        bench.jobs.submit(List.of(NewJob.builder("http", "{\"body\":7}").queue("m" + i).build()));
      }
      start(1);

      Await.until(
          "it suspects its own network",
          () -> bench.count("ebb.node where network_suspected") == 1);
    }
  }

  /** The probes are the first of their keys: no other job could be claimed. */
  @Test
  void jobs_with_ordering_keys_come_through_a_circuit_in_their_order() throws Exception {
    address(RULE);
    for (int i = 0; i < JOBS / 4; i++) {
      bench.submit(
          NewJob.builder("http", "{\"body\":{\"order\":7}}")
              .queue(QUEUE)
              .orderingKey("key-" + i % 10)
              .build());
    }
    start(2);
    Await.until(
        "it opens again", () -> circuit().outage() != null && circuit().outage().openings() >= 2);
    merchant.mend();

    Await.until("all are delivered", () -> bench.count("ebb.job") == 0);

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    // Ids grow in the order of the submits.
    assertThat(
            bench.count(
                "ebb.history a join ebb.history b using (ordering_key)"
                    + " where a.id < b.id and a.ended_at > b.started_at"))
        .isZero();
  }

  @Test
  void without_a_circuit_every_job_spends_attempts_on_it() throws Exception {
    address(NONE);
    submit(JOBS);
    start(2);

    Await.until("all have failed", () -> failedAttempts() > 2 * JOBS);

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
  }

  @Test
  void the_whole_cluster_has_one_probe_at_a_time() throws Exception {
    address(HOUR_LONG);
    submit(JOBS);
    start(2);
    Await.until("it opens", () -> circuit().phase() == Phase.OPEN);
    Await.until("nothing runs", () -> workers.stream().allMatch(worker -> worker.running() == 0));
    merchant.hold();
    merchant.forget();
    circuits.probe(QUEUE, Bench.ACT);
    try (Notifier notifier = bench.notifier()) {
      notifier.workArrived(QUEUE);
      Await.until("a probe is under way", () -> merchant.callsInAll() == 1);

      // Both nodes look for work all the while, and are told of some.
      long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
      Await.until(
          "both have looked",
          () -> {
            notifier.workArrived(QUEUE);
            return System.nanoTime() - until > 0;
          });
    }

    assertThat(merchant.callsInAll()).isEqualTo(1);
    assertThat(circuit().phase()).isEqualTo(Phase.HALF_OPEN);
    assertThat(circuits.probe(QUEUE, Bench.ACT)).isFalse();
  }

  @Test
  void a_destination_that_says_it_is_gone_is_disabled() throws Exception {
    address(RULE);
    merchant.answerFailures(410);
    submit(1);
    start(1);

    Await.until("it is disabled", () -> circuit().phase() == Phase.DISABLED);

    submit(5);
    assertThat(bench.count("ebb.dead_letter")).isEqualTo(1);
    assertThat(bench.count("ebb.job")).isEqualTo(5);
  }

  @Test
  void a_destination_is_disabled_by_an_answer_that_a_class_of_its_own_names() throws Exception {
    ResponseClass closed =
        new ResponseClass(StatusSet.of("403"), null, Effect.DISABLE, "shop_closed");
    address(RULE, new ResponseRules(SuccessRule.DEFAULT, List.of(closed)));
    merchant.answerFailures(403);
    submit(1);
    start(1);

    Await.until("it is disabled", () -> circuit().phase() == Phase.DISABLED);

    assertThat(circuit().reason()).isEqualTo("shop_closed");
    assertThat(bench.count("ebb.dead_letter where reason = 'shop_closed'")).isEqualTo(1);
    submit(5);
    assertThat(bench.count("ebb.job")).isEqualTo(5);
  }

  @Test
  void one_job_that_the_destination_never_takes_keeps_no_other_waiting() throws Exception {
    address(RULE);
    submit(1);
    start(1);

    Await.until("it has failed often", () -> failedAttempts() > 10);

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    assertThat(circuit().tally().failing()).hasSize(1);
  }

  @Test
  void an_operator_need_not_wait_for_the_next_probe() throws Exception {
    address(HOUR_LONG);
    submit(JOBS);
    start(1);
    Await.until("it opens", () -> circuit().phase() == Phase.OPEN);
    merchant.mend();

    assertThat(circuits.probe(QUEUE, Bench.ACT)).isTrue();

    Await.until("all are delivered", () -> bench.count("ebb.job") == 0);
    assertThat(circuits.probe(QUEUE, Bench.ACT)).isFalse();
  }

  @Test
  void another_address_is_tried_at_once() throws Exception {
    address(HOUR_LONG);
    submit(JOBS);
    start(1);
    Await.until("it opens", () -> circuit().phase() == Phase.OPEN);

    try (Merchant other = new Merchant(0, Duration.ofMillis(1))) {
      Destination moved =
          new Destination(
                  URI.create(other.url()), null, Map.of(), ResponseRules.DEFAULT, null, Map.of())
              .with(HOUR_LONG);
      var _ = queues.putDestination(QUEUE, settings().to(moved), Bench.ACT, _ -> {});

      Await.until("all are delivered", () -> bench.count("ebb.job") == 0);
    }
  }
}
