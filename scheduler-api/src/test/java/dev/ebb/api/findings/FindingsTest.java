package dev.ebb.api.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.DatabaseFinding;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.contract.Finding;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.QueueStanding.LastMinutes;
import dev.ebb.contract.StatsOverview;
import dev.ebb.db.errors.DeadHour;
import dev.ebb.db.queue.CertificateEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FindingsTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final NodeList ALIVE = nodes(node("running", "worker", Duration.ZERO));

  private static Findings findings() {
    return new Findings(NOW);
  }

  private static NodeList nodes(Node... nodes) {
    return new NodeList(List.of(nodes), null);
  }

  private static Node node(String state, String role, Duration skew) {
    return new Node(
        "n1",
        role,
        state,
        "1",
        "h",
        null,
        List.of("http"),
        10,
        0,
        NOW,
        NOW.minusSeconds(300),
        null,
        skew,
        null,
        null,
        null);
  }

  private static QueueStanding counted(Map<String, Long> counts) {
    return new QueueStanding(null, 1, 0, 0, null, List.of(new LastMinutes(5, NOW, counts)));
  }

  private static DueQueue due(String queue, Duration age) {
    return new DueQueue(queue, age, false);
  }

  private static List<Queue> paused(Queue.@Nullable Pause pause) {
    return List.of(
        new Queue("q", true, true, pause, null, null, null, null, null, null, null, null, NOW));
  }

  private static StatsOverview overview(QueueStanding all) {
    return new StatsOverview(NOW, true, NOW, all, List.of(), null);
  }

  private static List<String> sentences(Findings findings) {
    return findings.all().stream().map(Finding::summary).toList();
  }

  @Test
  void where_nothing_is_wrong_nothing_is_said() {
    Findings findings =
        findings()
            .nodes(ALIVE)
            .paused(List.of(), 10)
            .late(List.of(due("q", Duration.ofSeconds(59))))
            .limiters(Map.of())
            .deadLetters(dead(0, 0, null, 0))
            .counts(overview(counted(Map.of("completed", 90L, "failed", 10L))));

    assertThat(findings.all()).isEmpty();
  }

  @Test
  void a_cluster_without_a_worker_comes_first() {
    Findings findings =
        findings().paused(paused(null), 10).nodes(nodes(node("running", "api", Duration.ZERO)));

    assertThat(sentences(findings))
        .containsExactly("No worker is running, so no job starts.", "Queue q is paused.");
    assertThat(findings.all().getFirst().verdict()).isEqualTo("bad");
  }

  @Test
  void workers_that_all_drain_are_told() {
    Node drains = node("draining", "worker", Duration.ZERO);

    assertThat(sentences(findings().nodes(nodes(drains, node("stopped", "worker", Duration.ZERO)))))
        .containsExactly("Every worker is draining, so no job starts.");
    assertThat(sentences(findings().nodes(nodes(drains, ALIVE.items().getFirst())))).isEmpty();
  }

  @Test
  void a_live_node_that_suspects_its_network_is_told() {
    Node cut = suspecting("running");

    assertThat(sentences(findings().nodes(nodes(cut))))
        .containsExactly(
            "Most destinations that node n1 called in the last minute did not answer it.");
    assertThat(sentences(findings().nodes(nodes(ALIVE.items().getFirst(), suspecting("stopped")))))
        .isEmpty();
  }

  private static Node suspecting(String state) {
    return new Node(
        "n1",
        "worker",
        state,
        "1",
        "h",
        null,
        List.of("http"),
        10,
        0,
        NOW,
        NOW,
        null,
        null,
        true,
        null,
        null);
  }

  @Test
  void a_client_certificate_is_told_before_it_ends_and_after() {
    List<CertificateEnd> ends =
        List.of(
            new CertificateEnd("late", NOW.minus(Duration.ofHours(5))),
            new CertificateEnd("soon", NOW.plus(Duration.ofDays(12))));

    assertThat(sentences(findings().certificates(ends, 10)))
        .containsExactly(
            "The client certificate of destination late ended 5 h ago.",
            "The client certificate of destination soon ends in 12 days.");
    assertThat(findings().certificates(ends, 10).all())
        .extracting(Finding::verdict)
        .containsExactly("bad", "warn");
  }

  @Test
  void of_many_late_queues_the_latest_three_are_named() {
    List<DueQueue> late =
        List.of(
            due("a", Duration.ofMinutes(2)),
            due("b", Duration.ofMinutes(4)),
            due("c", Duration.ofMinutes(3)),
            due("d", Duration.ofMinutes(1)));

    assertThat(sentences(findings().late(late)))
        .containsExactly(
            "The oldest due job of b has been waiting for 4 min.",
            "The oldest due job of c has been waiting for 3 min.",
            "The oldest due job of a has been waiting for 2 min.",
            "One more queue is late.");
  }

  @Test
  void of_many_paused_queues_three_are_named_and_the_others_counted() {
    List<Queue> many = Collections.nCopies(1_000, paused(null).getFirst());

    assertThat(sentences(findings().paused(many, 1_001)).getLast())
        .isEqualTo("997 more queues are paused.");
    assertThat(sentences(findings().paused(many, 1_000)).getLast())
        .isEqualTo("At least 997 more queues are paused.");
  }

  @Test
  void a_lost_node_is_told() {
    Findings findings =
        findings()
            .nodes(
                nodes(
                    node("lost", "worker", Duration.ZERO),
                    node("stopped", "worker", Duration.ofHours(1)),
                    node("running", "worker", Duration.ZERO)));

    assertThat(sentences(findings)).containsExactly("Node n1 sent its last heartbeat 5 min ago.");
    assertThat(findings.all().getFirst().node()).isEqualTo("n1");
  }

  @Test
  void a_pause_is_told_with_who_why_and_how_long() {
    Queue.Pause pause =
        new Queue.Pause(
            NOW.minusSeconds(120), "ada", "bank holiday", NOW.plus(Duration.ofHours(3)));

    assertThat(sentences(findings().paused(paused(pause), 10)))
        .containsExactly(
            "Queue q has been paused for 2 min by ada, and resumes in 3 h: bank holiday.");
  }

  @Test
  void a_late_queue_is_told_unless_it_is_paused() {
    Duration late = Duration.ofMinutes(11);

    assertThat(findings().late(List.of(due("q", late))).all())
        .containsExactly(
            new Finding(
                "queue_late",
                "bad",
                "The oldest due job of q has been waiting for 11 min.",
                "Open one to see why it is waiting.",
                "q",
                null));
    assertThat(findings().late(List.of(new DueQueue("q", late, true))).all()).isEmpty();
  }

  @Test
  void a_rate_that_throttling_cut_is_told() {
    Limiter cut = new Limiter("warm", 2, 2, 4, 1, 0, 9, NOW, NOW, null, List.of());
    Limiter whole = new Limiter("warm", 4, 4, 4, 1, 0, 9, NOW, null, null, List.of());

    assertThat(sentences(findings().limiters(Map.of("a", cut, "b", whole))))
        .containsExactly(
            "The receiver of queue a throttles: its full rate is 2 instead of 4 jobs a second.");
  }

  @Test
  void dead_letters_of_the_last_hour_and_many_failures_are_told() {
    StatsOverview failing =
        overview(counted(Map.of("completed", 70L, "failed", 20L, "throttled", 10L)));

    assertThat(sentences(findings().deadLetters(dead(7, 2, null, 0)).counts(failing)))
        .containsExactly(
            "7 jobs became dead letters in the last hour, for 2 reasons.",
            "30 % of attempts failed in the last 5 minutes.");
  }

  @Test
  void whose_most_of_the_dead_letters_are_is_told() {
    assertThat(told(dead(8, 2, "acme", 5)))
        .containsExactly(
            "8 jobs became dead letters in the last hour, for 2 reasons, 5 of them of acme.");
    assertThat(told(dead(5, 2, "acme", 5)))
        .containsExactly(
            "5 jobs became dead letters in the last hour, for 2 reasons, all of acme.");
    assertThat(told(dead(1, 1, "acme", 1)))
        .containsExactly("1 job became a dead letter in the last hour, for one reason, of acme.");
    assertThat(told(dead(3, 1, "acme", 1)))
        .containsExactly("3 jobs became dead letters in the last hour, for one reason.");
  }

  @Test
  void of_more_dead_letters_than_are_counted_the_least_number_is_told() {
    assertThat(told(new DeadHour(20_000, true, 2, "acme", 20_001)))
        .containsExactly("At least 20,000 jobs became dead letters in the last hour.");
  }

  private static List<String> told(DeadHour hour) {
    return sentences(findings().deadLetters(hour));
  }

  private static DeadHour dead(long jobs, long errors, @Nullable String subject, long ofSubject) {
    return new DeadHour(jobs, false, errors, subject, ofSubject);
  }

  @Test
  void what_is_bad_with_the_database_is_told_unless_it_is_told_already() {
    DatabaseHealth health =
        new DatabaseHealth(
            NOW,
            "bad",
            List.of(
                finding("fsync", "bad"),
                finding("oldest_due", "bad"),
                finding("dead_rows", "warn"),
                finding("clock_skew", "warn")),
            Map.of(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);

    assertThat(sentences(findings().database(health)))
        .containsExactly("fsync is so.", "clock_skew is so.");
  }

  private static DatabaseFinding finding(String code, String verdict) {
    return new DatabaseFinding(
        code, "work", verdict, null, null, null, null, code + " is so.", "rule", null, null);
  }

  @Test
  void figures_that_are_not_complete_are_told() {
    StatsOverview stale =
        new StatsOverview(NOW.minusSeconds(61), false, null, counted(Map.of()), List.of(), null);

    assertThat(sentences(findings().counts(stale))).containsExactly("The statistics end 61 s ago.");
  }
}
