package dev.ebb.worker;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.NodeView;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.Notifier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes tell of themselves, and how they drain. */
class NodeReporterTest {
  private final CountDownLatch end = new CountDownLatch(1);
  private WorkerBench bench;
  private Nodes nodes;

  @BeforeEach
  void open() {
    bench = new WorkerBench();
    nodes = new Nodes(bench.database);
  }

  @AfterEach
  void close() {
    end.countDown();
    bench.close();
  }

  private NodeView node(String name) throws SQLException {
    return nodes.find(name).orElseThrow();
  }

  private Worker start(String name) throws Exception {
    Worker worker =
        bench.start(
            WorkerBench.settings().withNode(name).withConcurrency(10),
            _ -> {
              end.await();
              return Outcome.completed();
            });
    Await.until("it has told of itself", () -> nodes.find(name).isPresent());
    return worker;
  }

  private void drain(String name, boolean draining) throws Exception {
    nodes.setDraining(name, draining, Bench.ACT);
    // The second heartbeat from now on comes after the answer to the first.
    awaitHeartbeat(name);
    awaitHeartbeat(name);
  }

  private void awaitHeartbeat(String name) throws Exception {
    Instant before = node(name).heartbeatAt();
    try (Notifier notifier = bench.notifier()) {
      Await.until(
          "it has told again",
          () -> {
            notifier.drainChanged();
            return node(name).heartbeatAt().isAfter(before);
          });
    }
  }

  @Test
  void a_worker_tells_what_it_is_set_to_and_how_far_its_clock_is_off() throws Exception {
    Worker worker = start("one");
    Await.until("it knows the clocks", () -> node("one").skew() != null);

    NodeView one = node("one");

    assertThat(one.state()).isEqualTo(NodeView.State.RUNNING);
    assertThat(one.facts().kinds()).containsExactly(WorkerBench.KIND);
    assertThat(one.facts().queues()).isEmpty();
    assertThat(one.facts().concurrency()).isEqualTo(10);
    assertThat(one.skew()).isBetween(Duration.ofSeconds(-30), Duration.ofSeconds(30));
    worker.close();
    assertThat(node("one").state()).isEqualTo(NodeView.State.STOPPED);
  }

  @Test
  void a_process_without_a_worker_tells_that_it_lives_and_that_it_stops() throws Exception {
    try (Presence _ = Presence.start(bench.database, "a", List.of(), new SimpleMeterRegistry())) {
      Await.until("it knows the clocks", () -> !nodes.page("", 9).isEmpty());

      NodeView alone = nodes.page("", 9).getFirst();
      assertThat(alone.state()).isEqualTo(NodeView.State.RUNNING);
      assertThat(alone.facts().hasWorker()).isFalse();
      assertThat(alone.facts().queues()).isEmpty();
    }
    assertThat(nodes.page("", 9).getFirst().state()).isEqualTo(NodeView.State.STOPPED);
  }

  @Test
  void a_clock_that_is_an_hour_ahead_shows() throws SQLException {
    InstantSource ahead = () -> Instant.now().plus(Duration.ofHours(1));
    NodeFacts facts = new NodeFacts("fast", "1", "0", List.of(), List.of("a"), 1);
    NodeReporter reporter =
        new NodeReporter(nodes, facts, () -> new NodeReporter.Load(3, true), _ -> {}, ahead);

    assertThat(reporter.step()).as("it tells the skew at once").isZero();
    assertThat(reporter.step()).isEqualTo(Nodes.BEAT_EVERY);

    assertThat(node("fast").skew()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    assertThat(node("fast").inFlight()).isEqualTo(3);
    assertThat(node("fast").networkSuspected()).isTrue();
  }

  @Test
  void a_node_hears_how_many_live_that_claim_what_it_claims() throws SQLException {
    List<Integer> heard = new ArrayList<>();
    NodeFacts facts = new NodeFacts("me", "1", "0", List.of(), List.of("a"), 1);
    NodeReporter reporter =
        new NodeReporter(
            nodes,
            facts,
            () -> NodeReporter.Load.NONE,
            answer -> heard.add(answer.workers()),
            InstantSource.system());
    reporter.step();
    reporter.step();
    assertThat(heard).as("of itself").containsExactly(1, 1);

    bench.execute(
        """
        insert into ebb.node (
          name, version, settings_hash, queues, kinds, concurrency,
          heartbeat_at, stopped_at, closing, draining)
        values
          ('alike', '1', 'h', '{}', '{a}', 1, now(), null, false, false),
          ('of another kind', '1', 'h', '{}', '{b}', 1, now(), null, false, false),
          ('of one queue', '1', 'h', '{q}', '{a}', 1, now(), null, false, false),
          ('api', '1', 'h', '{}', '{}', 0, now(), null, false, false),
          ('stopped', '1', 'h', '{}', '{a}', 1, now(), now(), false, false),
          ('closing', '1', 'h', '{}', '{a}', 1, now(), null, true, false),
          ('draining', '1', 'h', '{}', '{a}', 1, now(), null, false, true),
          ('lost', '1', 'h', '{}', '{a}', 1, now() - interval '31 seconds', null, false, false),
          ('ahead', '1', 'h', '{}', '{a}', 1, now() + interval '1 hour', null, false, false)
        """);
    reporter.step();

    assertThat(heard.getLast()).isEqualTo(2);
  }

  @Test
  void a_drained_node_ends_what_it_runs_and_claims_no_more_while_others_go_on() throws Exception {
    Worker drained = start("drained");
    UUID first = bench.submit("{}");
    Await.until("it runs", () -> drained.running() == 1);
    drain("drained", true);
    start("other");

    List<UUID> later = List.of(bench.submit("{}"), bench.submit("{}"));
    Await.until("the other one claims", () -> bench.count("ebb.leased") == 3);
    assertThat(bench.count("ebb.leased where node = 'drained'")).isOne();
    assertThat(node("drained").state()).isEqualTo(NodeView.State.DRAINING);
    end.countDown();
    bench.awaitState(first, JobState.COMPLETED);
    for (UUID id : later) {
      bench.awaitState(id, JobState.COMPLETED);
      assertThat(bench.view(id).node()).isEqualTo("other");
    }
  }

  @Test
  void a_node_that_is_to_drain_no_more_claims_again() throws Exception {
    start("one");
    drain("one", true);
    UUID id = bench.submit("{}");
    assertThat(bench.count("ebb.lease")).isZero();

    drain("one", false);
    end.countDown();

    bench.awaitState(id, JobState.COMPLETED);
  }

  @Test
  void a_worker_that_ends_drains_until_it_has_stopped() throws Exception {
    Worker worker = start("one");
    bench.submit("{}");
    Await.until("it runs", () -> worker.running() == 1);

    Thread closing = Thread.ofVirtual().start(worker::close);
    Await.until("it drains", () -> node("one").state() == NodeView.State.DRAINING);
    end.countDown();
    closing.join();

    assertThat(node("one").state()).isEqualTo(NodeView.State.STOPPED);
  }

  @Test
  void a_killed_node_is_lost_and_forgotten_after_a_day() throws Exception {
    start("alive");
    try (Cluster cluster =
        new Cluster(
            bench.config, "http://127.0.0.1:1/", Duration.ofSeconds(5), Cluster.Guards.ALL)) {
      Cluster.Member victim = cluster.start();
      Await.until("it has told of itself", () -> nodes.find(victim.name()).isPresent());
      cluster.kill(victim);

      wasSilentFor("31 seconds", victim.name());
      assertThat(node(victim.name()).state()).isEqualTo(NodeView.State.LOST);
      nodes.forget();
      assertThat(nodes.page("", 9)).hasSize(2);
      wasSilentFor("25 hours", victim.name());
      nodes.forget();
    }
    assertThat(nodes.page("", 9))
        .singleElement()
        .satisfies(node -> assertThat(node.facts().name()).isEqualTo("alive"));
  }

  private void wasSilentFor(String interval, String name) throws SQLException {
    bench.execute(
        "update ebb.node set heartbeat_at = now() - interval '%s' where name = '%s'"
            .formatted(interval, name));
  }

  @Test
  void a_node_whose_row_is_gone_tells_of_itself_again_and_drains_on() throws SQLException {
    NodeFacts facts = new NodeFacts("one", "1", "0", List.of(), List.of("a"), 1);
    NodeReporter reporter =
        new NodeReporter(
            nodes, facts, () -> NodeReporter.Load.NONE, _ -> {}, InstantSource.system());
    reporter.step();
    nodes.setDraining("one", true, Bench.ACT);
    reporter.step();
    bench.execute("truncate ebb.node");

    reporter.step();

    assertThat(node("one").state()).isEqualTo(NodeView.State.DRAINING);
  }

  private static NodeFacts withKeys(String node, String... keys) {
    return new NodeFacts(node, "1", "0", List.of(), List.of("a"), 1, List.of(keys));
  }

  private NodeReporter reporter(NodeFacts facts) {
    return new NodeReporter(
        nodes, facts, () -> NodeReporter.Load.NONE, _ -> {}, InstantSource.system());
  }

  private void seal(String destination, String... keys) throws SQLException {
    String signing =
        Arrays.stream(keys)
            .map(key -> "{\"sealed\":\"%s.A\"}".formatted(key))
            .collect(Collectors.joining(",", "[", "]"));
    bench.execute(
        """
        insert into ebb.queue as q (name, destination) values ('%1$s', '{"signing": %2$s}')
        on conflict (name) do update set destination = excluded.destination
        """
            .formatted(destination, signing));
  }

  @Test
  void a_node_that_starts_with_a_wrong_key_says_which_it_lacks_and_is_not_ready()
      throws SQLException {
    Loop loop = new Loop("reporter", new FailureLog(new SimpleMeterRegistry()), () -> ZERO);
    NodeReporter wrong = reporter(withKeys("one", "cccc"));
    seal("d1", "aaaa");
    seal("d2", "bbbb", "aaaa");
    bench.execute("insert into ebb.export_key (id, public_key, sealed) values ('k', '', 'eeee.A')");

    wrong.step();

    assertThat(wrong.trouble(loop)).as("nobody has the keys").isNull();
    var _ = nodes.start(withKeys("right", "aaaa", "bbbb", "eeee"), false);
    wrong = reporter(withKeys("one", "cccc"));
    wrong.step();

    assertThat(node("one").missingKeys()).containsExactlyInAnyOrder("aaaa", "bbbb", "eeee");
    assertThat(wrong.trouble(loop))
        .isEqualTo("no key in this node's EBB_SECRETS_KEY opens a stored secret");
    NodeReporter bare = reporter(withKeys("one"));
    bare.step();
    assertThat(bare.trouble(loop))
        .isEqualTo("this node has no EBB_SECRETS_KEY, but secrets are stored");
    seal("d1", "cccc");
    wrong.step();
    assertThat(node("one").missingKeys()).containsExactlyInAnyOrder("aaaa", "bbbb", "eeee");
    assertThat(wrong.trouble(loop)).as("it opens one").isNull();
    bench.execute("truncate ebb.queue, ebb.export_key");
    wrong.step();
    assertThat(node("one").missingKeys()).isEmpty();
  }

  @Test
  void a_node_that_had_the_key_stays_ready_whatever_another_seals() throws SQLException {
    Loop loop = new Loop("reporter", new FailureLog(new SimpleMeterRegistry()), () -> ZERO);
    seal("d1", "aaaa");
    NodeReporter good = reporter(withKeys("one", "aaaa"));
    good.step();

    seal("d1", "cccc");
    good.step();

    assertThat(node("one").missingKeys()).containsExactly("cccc");
    assertThat(good.trouble(loop)).isNull();
    NodeReporter embedded = reporter(new NodeFacts("two", "1", "0", List.of(), List.of("a"), 1));
    embedded.step();
    assertThat(node("two").missingKeys()).as("it opens no secrets").isNull();
  }

  @Test
  void a_drain_ends_with_its_process() throws SQLException {
    NodeFacts facts = new NodeFacts("one", "1", "0", List.of(), List.of("a"), 1);
    nodes.start(facts, false);
    nodes.setDraining("one", true, Bench.ACT);

    new NodeReporter(nodes, facts, () -> NodeReporter.Load.NONE, _ -> {}, InstantSource.system())
        .step();

    assertThat(node("one").state()).isEqualTo(NodeView.State.RUNNING);
  }

  @Test
  void nodes_with_other_settings_show_another_hash() {
    WorkerConfig config = WorkerBench.settings();
    Map<String, Handler> handlers = Map.of("a", new HandlerSetTo("1"));
    String hash = SettingsHash.of(config, handlers);

    assertThat(SettingsHash.of(config.withNode("another"), handlers)).isEqualTo(hash);
    assertThat(SettingsHash.of(config.withConcurrency(7), handlers)).isNotEqualTo(hash);
    assertThat(SettingsHash.of(config, Map.of("b", new HandlerSetTo("1")))).isNotEqualTo(hash);
    assertThat(SettingsHash.of(config, Map.of("a", new HandlerSetTo("2")))).isNotEqualTo(hash);
  }

  /** A handler with settings. */
  private record HandlerSetTo(String settings) implements Handler {
    @Override
    public Outcome run(JobContext context) {
      return Outcome.completed();
    }
  }
}
