package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.operation.Pace;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.OrderedJobs;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How operations go on: in batches, beside others, after a death, and at their pace. */
class OperationCarrierTest {
  private static final String REDRIVEN_ONCE =
      "ebb.job where redriven_at is not null and version = 1";

  private OperationBench ops;
  private Bench bench;

  @BeforeEach
  void open() {
    ops = new OperationBench();
    bench = ops.bench;
  }

  @AfterEach
  void close() {
    ops.close();
  }

  private UUID redrive(String query) throws SQLException {
    return ops.start(OperationBench.plan(OperationBench.REDRIVE, query));
  }

  @Test
  void every_job_is_taken_once_whatever_the_number_of_batches() throws SQLException {
    ops.dead("a", 700);
    ops.dead("b", 700);
    UUID id = redrive("");

    assertThat(ops.carryOut(id).counts().done()).isEqualTo(1_400);

    assertThat(ops.resultCounts(id)).isEqualTo(Map.of("done", 1_400L));
    assertThat(bench.count("ebb.dead_letter")).isZero();
    assertThat(bench.count(REDRIVEN_ONCE)).isEqualTo(1_400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "skip"})
  void the_end_of_a_keys_first_job_is_told_to_workers(String action) throws SQLException {
    OrderedJobs.block(bench.database, "keyed", "order-7", 2);
    ops.start(
        OperationBench.plan(
            action.equals("skip") ? new JobAction.Skip() : new JobAction.Cancel(),
            "queue:keyed state:retrying"));

    OperationCarrier carrier = new OperationCarrier(bench.database);
    Set<String> arrivedIn = new HashSet<>();
    for (Optional<CarriedStep> step = carrier.step(); step.isPresent(); step = carrier.step()) {
      arrivedIn.addAll(step.get().arrivedIn());
    }

    assertThat(arrivedIn).containsExactly("keyed");
    assertThat(bench.count("ebb.job where run_at <= now()")).isOne();
  }

  @Test
  void a_step_that_dies_leaves_nothing_and_the_next_goes_on() throws SQLException {
    ops.dead("a", 1_200);
    UUID id = redrive("");
    ops.failAtDone(600);

    assertThatThrownBy(ops::stepAll).isInstanceOf(SQLException.class);

    long back = bench.count(REDRIVEN_ONCE);
    assertThat(back).isEqualTo(ops.view(id).counts().done()).isPositive();
    assertThat(ops.resultCounts(id)).containsEntry("done", back);
    assertThat(ops.carrier.step()).as("others go first").isEmpty();
    bench.execute("drop trigger die on ebb.operation");
    assertThat(ops.carryOut(id).counts().done()).isEqualTo(1_200);
    assertThat(bench.count(REDRIVEN_ONCE)).isEqualTo(1_200);
  }

  @Test
  void carriers_that_are_cut_off_at_any_instant_lose_and_double_nothing() throws Exception {
    ops.dead("a", 3_000);
    UUID id = redrive("");
    Random random = new Random(7);
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> carriers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        carriers.add(threads.submit(() -> carry(id)));
      }
      while (ops.view(id).counts().done() < 2_500) {
        bench.execute(
            """
            select pg_terminate_backend(pid)
            from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
              and query not ilike '%from ebb.operation o where o.id%'
            """);
        bench.execute(
            "update ebb.operation set due_at = now(), batch = 30 where state = 'running'");
        LockSupport.parkNanos(random.nextLong(100_000_000));
      }
      for (Future<?> carrier : carriers) {
        carrier.get(2, TimeUnit.MINUTES);
      }
    }

    assertThat(ops.view(id).counts().done()).isEqualTo(3_000);
    assertThat(ops.resultCounts(id)).isEqualTo(Map.of("done", 3_000L));
    assertThat(bench.count(REDRIVEN_ONCE)).isEqualTo(3_000);
  }

  private void carry(UUID id) {
    boolean running = true;
    while (running) {
      try {
        ops.carrier.step();
        running = ops.view(id).state() == OperationState.RUNNING;
      } catch (SQLException cutOff) {
        assertThat(cutOff.getMessage()).isNotNull();
      }
    }
  }

  @Test
  void what_comes_or_dies_later_is_not_covered() throws SQLException {
    UUID live = bench.submitOne();
    ops.dead("a", 2);
    UUID id = redrive("");
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    ops.dead("a", 1);

    assertThat(ops.carryOut(id).counts().done()).isEqualTo(2);

    assertThat(ops.results(id)).doesNotContainKey(live);
    assertThat(bench.count("ebb.dead_letter")).isEqualTo(2);
  }

  @Test
  void a_redriven_job_that_dies_again_is_not_redriven_twice() throws SQLException {
    UUID id = redriveOneAndKillIt();

    assertThat(ops.carryOut(id).counts().done()).isOne();
    assertThat(bench.count("ebb.dead_letter")).isOne();
  }

  private UUID redriveOneAndKillIt() throws SQLException {
    UUID dead = ops.dead();
    UUID id = redrive("");
    ops.carrier.step();
    assertThat(bench.claimOne().job().id()).isEqualTo(dead);
    bench.expireLeases();
    assertThat(bench.rescue(new Settlement.DeadLetter("max_attempts", Bench.failure("no"))))
        .hasSize(1);
    return id;
  }

  @Test
  void a_job_that_is_locked_waits_and_the_others_go_on() throws SQLException {
    UUID locked = ops.dead();
    ops.dead("default", 700);
    UUID id = redrive("");
    try (Connection holder = TestPostgres.connect(bench.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("select from ebb.dead_letter where id = '" + locked + "' for update");
      for (int i = 0; i < 10; i++) {
        bench.execute("update ebb.operation set due_at = now() - interval '1 second'");
        ops.carrier.step();
      }
      assertThat(ops.view(id).counts().done()).isEqualTo(700);
      assertThat(ops.view(id).state()).isEqualTo(OperationState.RUNNING);
    }

    assertThat(ops.carryOut(id).counts().done()).isEqualTo(701);
  }

  @Test
  void a_key_that_a_transaction_holds_keeps_no_other_job_waiting() throws SQLException {
    NewJob unique = NewJob.builder("echo", "{}").uniqueKey("k").build();
    bench.submit(unique);
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    ops.dead("default", 5);
    UUID id = redrive("");
    try (Connection holder = TestPostgres.connect(bench.config)) {
      holder.setAutoCommit(false);
      JobQueue.submit(holder, List.of(unique));
      while (ops.view(id).counts().done() < 5) {
        bench.execute("update ebb.operation set due_at = now() - interval '1 second'");
        ops.carrier.step();
      }
      holder.commit();
    }

    ops.carryOut(id);

    assertThat(ops.resultCounts(id)).isEqualTo(Map.of("done", 5L, "unique_key_taken", 1L));
  }

  @Test
  void many_queues_take_no_more_steps_than_one() throws SQLException {
    ops.deadInQueues(900);

    assertThat(stepsOf(redrive("")))
        .as("of 500 jobs each, and one that finds no more")
        .isEqualTo(3);
    assertThat(bench.count(REDRIVEN_ONCE)).isEqualTo(900);
    UUID id = ops.start(OperationBench.plan(new JobAction.Hold(null), ""));
    assertThat(stepsOf(id)).isEqualTo(3);
    assertThat(bench.tryClaim(1)).isEmpty();
  }

  private int stepsOf(UUID id) throws SQLException {
    int steps = 0;
    while (ops.view(id).state() == OperationState.RUNNING) {
      assertThat(ops.carrier.step()).isPresent();
      steps++;
    }
    return steps;
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "z"})
  void a_limiter_whose_lock_is_kept_keeps_no_other_queue_waiting(String locked)
      throws SQLException {
    RateLimit rate = RateLimit.of(100, Duration.ofSeconds(60), 3);
    for (String queue : List.of("a", "z")) {
      new Queues(bench.database)
          .put(queue, new QueueSettings(false, null, rate, null), true, Bench.ACT);
      ops.dead(queue, 1);
    }
    ops.dead("unlimited", 1);
    UUID id = redrive("");
    try (Connection holder = TestPostgres.connect(bench.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(6644322, hashtext('" + locked + "'))");
      ops.carrier.step();
      assertThat(ops.view(id).counts().done()).isEqualTo(2);
      assertThat(bench.count("ebb.dead_letter where queue = '" + locked + "'")).isOne();
    }
    assertThat(ops.carryOut(id).counts().done()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "other"})
  void a_queue_whose_lock_is_kept_keeps_no_other_queue_waiting(String locked) throws SQLException {
    UUID first = bench.submitOne();
    UUID second = bench.submit(NewJob.builder("echo", "{}").queue("other").build());
    UUID free = locked.equals("other") ? first : second;
    UUID id = ops.start(OperationBench.plan(new JobAction.Hold(null), ""));
    try (Connection holder = TestPostgres.connect(bench.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(6644322, hashtext('" + locked + "'))");
      for (int i = 0; i < 4; i++) {
        bench.execute("update ebb.operation set due_at = now() - interval '1 second'");
        ops.carrier.step();
      }
      assertThat(ops.results(id)).containsEntry(free, "done").containsValue("null");
    }
    assertThat(ops.carryOut(id).counts().done()).isEqualTo(2);
  }

  @Test
  void the_warm_up_restarts_once_for_each_queue() throws SQLException {
    bench.execute(
        """
        create table public.restarted (queue text);
        create function public.note() returns trigger language plpgsql as $$
          begin insert into public.restarted values (new.queue); return null; end
        $$;
        create trigger note after insert or update on ebb.limiter
        for each row execute function public.note();
        """);
    for (String queue : List.of("a", "b")) {
      limit(queue);
      ops.dead(queue, 1_200);
    }

    ops.carryOut(redrive(""));

    assertThat(bench.count("public.restarted")).isEqualTo(2);
    assertThat(bench.count("ebb.limiter where coldness = 1")).isEqualTo(2);
  }

  /** With a limiter that is warm. */
  private void limit(String queue) throws SQLException {
    RateLimit rate = RateLimit.of(100, Duration.ofSeconds(60), 3);
    new Queues(bench.database)
        .put(queue, new QueueSettings(false, null, rate, null), true, Bench.ACT);
    bench.execute("alter table ebb.limiter disable trigger note");
    bench.execute(
        """
        insert into ebb.limiter (queue, coldness, next_free_at) values ('%1$s', 0, now())
        on conflict (queue) do update set coldness = 0
        """
            .formatted(queue));
    bench.execute("alter table ebb.limiter enable trigger note");
  }

  @Test
  void a_pace_takes_no_more_than_it_says() throws SQLException {
    ops.dead("a", 30);
    UUID id = ops.start(OperationBench.staged(new Pace(0.01), List.of(), 1));

    ops.stepAll();
    assertThat(ops.view(id).counts().done()).isOne();

    bench.execute(
        "update ebb.operation set due_at = now(), next_job_at = now() - interval '9 min'");
    ops.stepAll();
    assertThat(ops.view(id).counts().done()).as("a second's worth").isEqualTo(2);
  }

  @Test
  void two_operations_take_turns() throws SQLException {
    ops.dead("a", 2_000);
    ops.dead("b", 1);
    UUID large = redrive("queue:a");
    UUID small = redrive("queue:b");

    for (int i = 0; i < 4; i++) {
      ops.carrier.step();
    }

    assertThat(ops.view(small).state()).isEqualTo(OperationState.COMPLETED);
    assertThat(ops.view(large).state()).isEqualTo(OperationState.RUNNING);
  }

  @Test
  void people_pause_resume_and_cancel_it() throws SQLException {
    ops.dead("a", 1_200);
    UUID id = redrive("");
    ops.carrier.step();

    ops.operations.pause(id, OperationBench.ADA);
    assertThat(ops.operations.pause(id, OperationBench.ADA).orElseThrow().stateReason())
        .isEqualTo("a wrong price");
    assertThat(ops.carrier.step()).isEmpty();
    assertThat(ops.view(id).counts().done()).isEqualTo(500);
    ops.operations.resume(id, OperationBench.ADA);
    ops.carrier.step();
    OperationView cancelled = ops.operations.cancel(id, OperationBench.ADA).orElseThrow();

    assertThat(cancelled.state()).isEqualTo(OperationState.CANCELLED);
    assertThat(cancelled.endedAt()).isNotNull();
    assertThat(ops.carrier.step()).isEmpty();
    assertThat(ops.resultCounts(id)).isEqualTo(Map.of("done", 1_000L));
    assertThat(bench.count(REDRIVEN_ONCE)).isEqualTo(1_000);
    assertThat(bench.count("ebb.audit where action = 'operation.pause'")).isOne();
    assertThat(bench.count("ebb.audit where action = 'operation.cancel' and affected = 1000"))
        .isOne();
    assertThat(ops.operations.resume(id, OperationBench.ADA).orElseThrow().state())
        .isEqualTo(OperationState.CANCELLED);
    assertThat(ops.operations.pause(UUID.randomUUID(), OperationBench.ADA)).isEmpty();
  }

  @Test
  void ages_count_from_the_start() throws SQLException {
    ops.dead("a", 1);
    bench.execute("update ebb.dead_letter set created_at = now() - interval '1 hour'");
    ops.dead("a", 1);

    UUID id = redrive("age>30m");

    assertThat(ops.view(id).plan().requireFilter().created().leastAge()).isNull();
    assertThat(ops.carryOut(id).counts().done()).isOne();
  }

  @Test
  void a_filter_that_cannot_be_read_again_is_refused() {
    String words = "a".repeat(320);
    String query = words + "b " + words + "c " + words + "d";

    assertThatThrownBy(() -> redrive(query)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void what_ended_a_month_ago_is_forgotten() throws SQLException {
    ops.dead("a", 3);
    UUID id = redrive("");
    ops.carryOut(id);
    assertThat(ops.operations.forget()).isFalse();
    bench.execute("update ebb.operation set ended_at = now() - interval '31 days'");

    assertThat(ops.operations.forget()).isTrue();

    assertThat(ops.operations.forget()).isFalse();
    assertThat(ops.operations.find(id)).isEmpty();
    assertThat(bench.count("ebb.operation_item")).isZero();
  }

  @Test
  void the_wait_for_the_next_step_is_that_of_the_operation_that_is_due_first() throws SQLException {
    assertThat(ops.carrier.untilNext()).isPositive();
    UUID first = redrive("");
    UUID second = redrive("");
    assertThat(ops.carrier.untilNext()).isZero();

    Duration shorterThanAnyWait = Duration.ofSeconds(4);
    putOff(first, "4 seconds");
    putOff(second, "10 minutes");
    assertThat(ops.carrier.untilNext()).isBetween(Duration.ofNanos(1), shorterThanAnyWait);

    ops.operations.pause(first, OperationBench.ADA);
    assertThat(ops.carrier.untilNext()).isGreaterThan(shorterThanAnyWait);
  }

  @Test
  void after_the_clock_was_set_back_an_operation_goes_on_at_once_beside_others()
      throws SQLException {
    UUID before = redrive("");
    UUID after = redrive("");
    putOff(before, "1 hour");
    putOff(after, "10 seconds");

    assertThat(ops.carrier.untilNext()).isZero();
    assertThat(ops.carrier.step()).isPresent();

    assertThat(ops.view(before).state()).isEqualTo(OperationState.COMPLETED);
    assertThat(ops.view(after).state()).isEqualTo(OperationState.RUNNING);
  }

  private void putOff(UUID id, String time) throws SQLException {
    bench.execute(
        "update ebb.operation set due_at = clock_timestamp() + interval '%s' where id = '%s'"
            .formatted(time, id));
  }
}
