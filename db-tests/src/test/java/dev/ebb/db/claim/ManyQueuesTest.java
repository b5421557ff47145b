package dev.ebb.db.claim;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One claim of many queues. */
class ManyQueuesTest {
  private static final Patience SHORT =
      new Patience(Duration.ofMillis(100), Duration.ofSeconds(30));

  private static final String SUBJECT =
      """
      create or replace function ebb.subject(label text, labels jsonb, destination text)
      returns text
      """;

  private Bench bench;
  private Queues queues;
  private Claimer claimer;

  @BeforeEach
  void open() {
    bench = new Bench();
    queues = new Queues(bench.database);
    claimer = new Claimer(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void submit(String queue, int jobs) throws SQLException {
    bench.jobs.submit(Collections.nCopies(jobs, NewJob.builder("echo", "{}").queue(queue).build()));
  }

  private static ClaimRequest request(int most, String... queues) {
    SequencedMap<String, Integer> each = new LinkedHashMap<>();
    for (String queue : queues) {
      each.put(queue, most);
    }
    return new ClaimRequest("node", List.of("echo"), Bench.LEASE, Bench.LEASE, each);
  }

  private Map<String, ClaimAnswer> claim(int most, String... queues) throws SQLException {
    return claimer.claim(request(most, queues), List.of(), SHORT);
  }

  private static ClaimAnswer of(Map<String, ClaimAnswer> answers, String queue) {
    return requireNonNull(answers.get(queue));
  }

  private static int size(ClaimAnswer answer) {
    return answer.lease().map(lease -> lease.jobs().size()).orElse(0);
  }

  @Test
  void each_queue_of_a_claim_gets_what_its_own_limits_let_through() throws SQLException {
    RateLimit rate = RateLimit.of(0.5, Duration.ZERO, 1);
    queues.put("rated", new QueueSettings(false, null, rate, null), true, Bench.ACT);
    queues.put("narrow", new QueueSettings(false, null, null, 3), true, Bench.ACT);
    queues.put("paused", QueueSettings.of(true, null), true, Bench.ACT);
    for (String queue : List.of("free", "rated", "narrow", "paused")) {
      submit(queue, 20);
    }

    Map<String, ClaimAnswer> answers = claim(10, "free", "rated", "narrow", "paused", "empty");

    assertThat(answers.keySet())
        .containsExactlyInAnyOrder("free", "rated", "narrow", "paused", "empty");
    assertThat(size(of(answers, "free"))).isEqualTo(10);
    assertThat(size(of(answers, "rated"))).isEqualTo(1);
    assertThat(of(answers, "rated").closedFor()).isPositive();
    assertThat(size(of(answers, "narrow"))).isEqualTo(3);
    assertThat(of(answers, "narrow").full()).isTrue();
    assertThat(of(answers, "paused").lease()).isEmpty();
    assertThat(of(answers, "empty").lease()).isEmpty();
    assertThat(bench.count("ebb.lease")).isEqualTo(3);
    assertThat(bench.count("ebb.limiter")).isEqualTo(1);
  }

  @Test
  void each_queue_goes_on_from_its_own_cursor_in_the_order_of_its_jobs() throws SQLException {
    String[] names = IntStream.range(0, 40).mapToObj(i -> "queue-" + i).toArray(String[]::new);
    for (String queue : names) {
      submit(queue, 7);
    }
    Set<UUID> claimed = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      for (ClaimAnswer answer : claim(2, names).values()) {
        answer
            .lease()
            .ifPresent(lease ->
                lease.jobs().forEach(job -> assertThat(claimed.add(job.job().id())).isTrue()));
      }
    }

    assertThat(claimed).hasSize(280);
    assertThat(claim(2, names).values()).allMatch(answer -> answer.lease().isEmpty());
  }

  @Test
  void a_claim_of_fifty_queues_is_as_many_statements_as_one_of_one() throws SQLException {
    String[] names = IntStream.range(0, 50).mapToObj(i -> "queue-" + i).toArray(String[]::new);
    for (String queue : names) {
      submit(queue, 1);
    }
    bench.countBlocks();

    assertThat(claim(1, "queue-0")).hasSize(1);
    long one = statements();
    assertThat(claim(1, names)).hasSize(50);

    assertThat(one).as("locks, limits, due jobs, leases").isEqualTo(4);
    assertThat(statements()).isEqualTo(2 * one);
  }

  /** Otherwise none of them would be looked at from the beginning when they come alone. */
  @Test
  void a_claim_of_several_queues_that_was_too_slow_counts_as_a_scan_of_none() throws SQLException {
    AtomicLong nanos = new AtomicLong();
    claimer = new Claimer(bench.database, nanos::get);
    claim(1, "one", "two");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    submit("one", 1);
    submit("two", 1);
    bench.execute(SUBJECT + "language plpgsql as 'begin perform pg_sleep(1); return null; end'");
    Patience little = new Patience(Duration.ofMillis(100), Duration.ofMillis(100));
    assertThatThrownBy(() -> claimer.claim(request(1, "one", "two"), List.of(), little))
        .isInstanceOf(SQLException.class);
    bench.execute(SUBJECT + "language sql as 'select null::text'");

    ClaimAnswer alone = of(claim(1, "one"), "one");

    assertThat(size(alone)).isEqualTo(1);
    assertThat(alone.scanIn()).as("it looked at all").isZero();
  }

  private long statements() throws SQLException {
    return bench.count(
        "(select unnest(array_fill(1, array[calls::integer])) from pg_stat_statements s"
            + " join pg_database d on d.oid = s.dbid where d.datname = current_database()"
            + " and s.query ~ 'ebb.(limiter|lease)|try_advisory' and s.query !~ 'pg_stat_statements') calls");
  }

  @Test
  void a_queue_whose_lock_is_taken_is_skipped_and_waited_for_only_when_it_is_alone()
      throws Exception {
    submit("taken", 1);
    submit("free", 1);
    try (Connection other = TestPostgres.connect(bench.config);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(6644322, hashtext('taken'))");

      Map<String, ClaimAnswer> answers = claim(1, "taken", "free");

      assertThat(answers).containsOnlyKeys("free");
      assertThat(size(of(answers, "free"))).isEqualTo(1);
      assertThatThrownBy(() -> claim(1, "taken"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
      other.rollback();
    }
    assertThat(size(of(claim(1, "taken", "free"), "taken"))).isEqualTo(1);
  }

  @Test
  void claimers_of_the_same_queues_in_any_order_do_not_wait_for_each_other() throws Exception {
    String[] names = IntStream.range(0, 20).mapToObj(i -> "queue-" + i).toArray(String[]::new);
    for (String queue : names) {
      submit(queue, 50);
    }
    List<String> backwards = List.of(names).reversed();
    List<FutureTask<Integer>> tasks = new ArrayList<>();
    for (List<String> order : List.of(List.of(names), backwards, List.of(names), backwards)) {
      FutureTask<Integer> task = new FutureTask<>(() -> drain(order.toArray(String[]::new)));
      tasks.add(task);
      Thread.ofVirtual().start(task);
    }

    int claimed = 0;
    for (FutureTask<Integer> task : tasks) {
      claimed += task.get();
    }

    assertThat(claimed).isEqualTo(1_000);
  }

  /** Claims until nothing is left, and answers how much that was. */
  private int drain(String... names) throws SQLException {
    Claimer own = new Claimer(bench.database);
    int claimed = 0;
    while (bench.count("ebb.job j where not exists (select from ebb.leased l where l.id = j.id)")
        > 0) {
      for (ClaimAnswer answer : own.claim(request(3, names), List.of(), SHORT).values()) {
        claimed += size(answer);
      }
    }
    return claimed;
  }
}
