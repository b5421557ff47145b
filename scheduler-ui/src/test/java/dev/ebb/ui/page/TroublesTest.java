package dev.ebb.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.DatabaseFinding;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.QueueStanding.Recent;
import dev.ebb.contract.StatsOverview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final NodeList ALIVE = nodes(node("running", "worker", Duration.ZERO));
  private static final QueueList NO_QUEUES = new QueueList(List.of(), null);
  private static final ErrorGroupList NO_GROUPS = new ErrorGroupList(List.of(), null, 0);

  private static Troubles troubles() {
    return new Troubles(NOW, (path, q) -> path + "?" + q);
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
        skew);
  }

  private static QueueStanding standing(@Nullable String queue, @Nullable Duration oldest) {
    return counted(queue, oldest, Map.of());
  }

  private static QueueStanding counted(
      @Nullable String queue, @Nullable Duration oldest, Map<String, Long> counts) {
    return new QueueStanding(queue, 1, 0, 0, oldest, List.of(new Recent(5, NOW, counts)));
  }

  private static StatsOverview overview(QueueStanding... queues) {
    return new StatsOverview(NOW, true, NOW, standing(null, null), List.of(queues), null);
  }

  private static QueueList paused(Queue.@Nullable Pause pause) {
    Queue queue = new Queue("q", true, true, pause, null, null, null, null, null, NOW);
    return new QueueList(List.of(queue), null);
  }

  private static List<String> sentences(Troubles troubles) {
    return troubles.all().stream().map(Trouble::sentence).toList();
  }

  @Test
  void where_nothing_is_wrong_nothing_is_said() {
    Troubles troubles =
        troubles()
            .nodes(ALIVE)
            .queues(NO_QUEUES, overview(standing("q", Duration.ofSeconds(59))), Map.of())
            .failures(counted(null, null, Map.of("completed", 90L, "failed", 10L)), NO_GROUPS)
            .statistics(overview());

    assertThat(troubles.all()).isEmpty();
  }

  @Test
  void a_cluster_without_a_worker_comes_first() {
    Troubles troubles =
        troubles()
            .queues(paused(null), overview(), Map.of())
            .nodes(nodes(node("running", "api", Duration.ZERO)));

    assertThat(sentences(troubles))
        .containsExactly("No worker is running, so no job starts.", "Queue q is paused.");
    assertThat(troubles.all().getFirst().level()).isEqualTo("bad");
  }

  @Test
  void workers_that_all_drain_are_told() {
    Node drains = node("draining", "worker", Duration.ZERO);

    assertThat(sentences(troubles().nodes(nodes(drains, node("stopped", "worker", Duration.ZERO)))))
        .containsExactly("Every worker is draining, so no job starts.");
    assertThat(sentences(troubles().nodes(nodes(drains, ALIVE.items().getFirst())))).isEmpty();
  }

  @Test
  void of_many_late_queues_the_latest_three_are_named() {
    StatsOverview late =
        overview(
            standing("a", Duration.ofMinutes(2)),
            standing("b", Duration.ofMinutes(4)),
            standing("c", Duration.ofMinutes(3)),
            standing("d", Duration.ofMinutes(1)),
            standing("e", null));

    assertThat(sentences(troubles().queues(NO_QUEUES, late, Map.of())))
        .containsExactly(
            "The oldest due job of b has been waiting for 4 min.",
            "The oldest due job of c has been waiting for 3 min.",
            "The oldest due job of a has been waiting for 2 min.",
            "One more queue is late.");
  }

  @Test
  void a_lost_node_and_a_wrong_clock_are_told() {
    Troubles troubles =
        troubles()
            .nodes(
                nodes(
                    node("lost", "worker", Duration.ZERO),
                    node("stopped", "worker", Duration.ofHours(1)),
                    node("running", "worker", Duration.ofMillis(-1_500))));

    assertThat(sentences(troubles))
        .containsExactly(
            "Node n1 sent its last heartbeat 5 min ago.", "The clock of node n1 is off by −1.5 s.");
  }

  @Test
  void a_pause_is_told_with_who_why_and_how_long() {
    Queue.Pause pause =
        new Queue.Pause(
            NOW.minusSeconds(120), "ada", "bank holiday", NOW.plus(Duration.ofHours(3)));

    assertThat(sentences(troubles().queues(paused(pause), overview(), Map.of())))
        .containsExactly(
            "Queue q is paused by ada, since 2 min ago, and resumes in 3 h: bank holiday.");
  }

  @Test
  void a_late_queue_is_told_unless_it_is_paused() {
    StatsOverview late = overview(standing("q", Duration.ofMinutes(11)));

    assertThat(troubles().queues(NO_QUEUES, late, Map.of()).all())
        .containsExactly(
            Trouble.bad(
                "The oldest due job of q has been waiting for 11 min.",
                "Open one to see why it is waiting.",
                "/jobs?queue:q state:due",
                "Due jobs"));
    assertThat(sentences(troubles().queues(paused(null), late, Map.of())))
        .containsExactly("Queue q is paused.");
  }

  @Test
  void a_rate_that_throttling_cut_is_told() {
    Limiter cut = new Limiter("warm", 2, 2, 4, 1, 0, 9, NOW, NOW, List.of());
    Limiter whole = new Limiter("warm", 4, 4, 4, 1, 0, 9, NOW, null, List.of());

    assertThat(sentences(troubles().queues(NO_QUEUES, overview(), Map.of("a", cut, "b", whole))))
        .containsExactly(
            "Queue a may start 2 instead of 4 jobs a second, because its receiver throttles.");
  }

  @Test
  void dead_letters_of_the_last_hour_and_many_failures_are_told() {
    ErrorGroupList groups = new ErrorGroupList(List.of(group(3), group(4), group(0)), null, 0);
    QueueStanding all =
        counted(null, null, Map.of("completed", 70L, "failed", 20L, "throttled", 10L));

    assertThat(sentences(troubles().failures(all, groups)))
        .containsExactly(
            "7 jobs became dead letters in the last hour, for 2 reasons.",
            "30 % of the attempts of the last 5 minutes failed.");
  }

  private static ErrorGroup group(long lastHour) {
    return new ErrorGroup(
        "id",
        "q",
        "http",
        "http_500",
        "text",
        NOW,
        NOW,
        Map.of("1h", lastHour, "all", 9L),
        true,
        List.of(),
        false,
        null,
        null,
        null,
        null,
        null);
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
                finding("dead_rows", "warn")),
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

    assertThat(troubles().database(health).all())
        .containsExactly(
            Trouble.bad(
                "fsync is so.", "The database page says what to do.", "/database?", "Database"));
  }

  private static DatabaseFinding finding(String code, String verdict) {
    return new DatabaseFinding(
        code, "work", verdict, null, null, null, null, code + " is so.", "rule", null, null);
  }

  @Test
  void figures_that_are_not_complete_are_told() {
    StatsOverview stale =
        new StatsOverview(NOW.minusSeconds(60), false, null, standing(null, null), List.of(), null);

    assertThat(sentences(troubles().statistics(stale)))
        .containsExactly("The statistics end 60 s ago.");
  }
}
