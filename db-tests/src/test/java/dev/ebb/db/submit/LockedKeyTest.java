package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Submits beside a transaction that has stored a job with a unique key and does not end. */
class LockedKeyTest {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final String LONGER_THAN_A_BATCH_WAITS =
      """
      pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query_start < clock_timestamp() - interval '200 milliseconds'
      """;
  private static final int BLOCKED = 6;
  private static final int INNOCENTS = 10;
  private static final int EACH = 100;

  private final Queue<SQLException> refusals = new ConcurrentLinkedQueue<>();
  private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Duration> waits = new ConcurrentLinkedQueue<>();
  private final CountDownLatch refusedOften = new CountDownLatch(3 * BLOCKED);
  private volatile boolean over;

  private Bench bench;
  private Submitter submitter;
  private Connection open;

  @BeforeEach
  void hold() throws SQLException {
    bench = new Bench();
    submitter = new Submitter(bench.database, null);
    open = TestPostgres.connect(bench.config);
    open.setAutoCommit(false);
    JobQueue.submit(open, List.of(unique("held")));
  }

  @AfterEach
  void close() throws SQLException {
    open.close();
    submitter.close();
    bench.close();
  }

  private static NewJob unique(String key) {
    return NewJob.builder("echo", "{}").uniqueKey(key).build();
  }

  @Test
  void callers_of_a_held_key_who_try_again_and_again_keep_nobody_else_waiting() throws Exception {
    List<Thread> blocked = start(BLOCKED, "held", this::tryAgainAndAgain);
    List<Thread> innocents = start(INNOCENTS, "free", this::submitEach);

    boolean allCameThrough = join(innocents);
    boolean allWereRefused = refusedOften.await(AMPLE.toSeconds(), TimeUnit.SECONDS);
    over = true;
    join(blocked);

    assertThat(allCameThrough).isTrue();
    assertThat(allWereRefused).isTrue();
    assertThat(failures).isEmpty();
    assertThat(bench.count("ebb.job")).isEqualTo(INNOCENTS * EACH);
    assertThat(waits).allMatch(wait -> wait.compareTo(bench.config.statementTimeout()) < 0);
    assertThat(refusals)
        .allSatisfy(refusal -> assertThat((Throwable) refusal).isInstanceOf(UniqueKeyLocked.class))
        .extracting(Throwable::getMessage)
        .allSatisfy(message -> assertThat(message).contains("\"held\"", "tried again"));
  }

  /** What the threads of one name do. */
  private interface Doing {
    void run(String name);
  }

  private static List<Thread> start(int threads, String name, Doing doing) {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String own = name + "-" + i;
      started.add(Thread.ofVirtual().start(() -> doing.run(own)));
    }
    return started;
  }

  private void tryAgainAndAgain(String name) {
    while (!over) {
      try {
        submitter.submit(unique("held"));
      } catch (SQLException e) {
        refusals.add(e);
        refusedOften.countDown();
      }
    }
  }

  private void submitEach(String name) {
    for (int i = 0; i < EACH; i++) {
      long start = System.nanoTime();
      try {
        submitter.submit(unique(name + "-" + i));
      } catch (SQLException e) {
        failures.add(e);
      }
      waits.add(Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private static boolean join(List<Thread> threads) throws InterruptedException {
    long deadline = System.nanoTime() + AMPLE.toNanos();
    boolean all = true;
    for (Thread thread : threads) {
      all &= thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }
    return all;
  }

  @Test
  void of_a_batch_with_a_held_key_only_the_jobs_of_that_key_are_not_stored() throws Exception {
    Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
    Semaphore go = new Semaphore(0);
    CommitBatcher.Writer writer =
        (submissions, patience) -> {
          sizes.add(submissions.size());
          go.acquireUninterruptibly();
          return storeImpatiently(submissions);
        };
    try (CommitBatcher batcher =
        new CommitBatcher("batcher", 1000, new LockedKeys(System::nanoTime), writer)) {
      Crowd crowd =
          new Crowd(
              bench.config,
              job -> stored(batcher.submit(new PendingSubmit(Submission.of(job), 1))));
      crowd.submit(unique("first"));
      await(() -> !sizes.isEmpty());
      for (int i = 0; i < 16; i++) {
        crowd.submit(i % 5 == 3 ? held(i) : unique("free-" + i));
      }
      await(() -> batcher.length() == 16);
      go.release(100);
      crowd.join();

      assertThat(crowd.failed).containsOnlyKeys(held(3), held(8), held(13));
      assertThat(crowd.failed.values()).allSatisfy(e -> assertThat(e).hasMessage("KeyLocked[]"));
      assertThat(crowd.answered).hasSize(14);
      assertThat(bench.count("ebb.job")).isEqualTo(14);
      assertThat(sizes).startsWith(1, 16).hasSizeLessThanOrEqualTo(2 + 2 * 4);
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + AMPLE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  private static NewJob held(int payload) {
    return NewJob.builder("echo", "" + payload).uniqueKey("held").build();
  }

  private static Submitted stored(PendingSubmit.Answer answer) throws SQLException {
    if (answer instanceof PendingSubmit.Answer.Written(SubmitAnswer.Stored(var jobs, _))) {
      return jobs.getFirst();
    }
    throw new SQLException(answer.toString());
  }

  private List<SubmitAnswer> storeImpatiently(List<Submission> submissions) throws SQLException {
    return bench.database.inTransaction(connection -> {
      try (Statement statement = connection.createStatement()) {
        statement.execute("set local lock_timeout = '10ms'");
      }
      return Submissions.store(connection, submissions);
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_batch_that_waits_for_a_held_key_gives_its_connection_back_soon(boolean keyed)
      throws Exception {
    IdempotencyKey key = IdempotencyKey.of("a", "POST /v1/jobs/batch", "k", "{}");
    List<NewJob> jobs = List.of(unique("free"), unique("held"));
    Submission batch = new Submission(jobs, Set.of(), keyed ? key : null);

    Throwable refused =
        Judged.within(
            Duration.ofSeconds(3),
            "a batch waits for a held key",
            bench.config,
            () -> catchThrowable(() -> bench.jobs.submit(batch)));

    assertThat(refused)
        .isInstanceOf(UniqueKeyLocked.class)
        .hasMessageContaining("one of the unique keys");
    assertThat(bench.count("ebb.job")).isZero();
    open.rollback();
    assertThat(bench.jobs.submit(batch)).isInstanceOf(SubmitAnswer.Stored.class);
    assertThat(bench.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void a_key_that_is_free_again_is_taken_at_the_next_try() throws Exception {
    assertThatThrownBy(() -> submitter.submit(unique("held"))).isInstanceOf(UniqueKeyLocked.class);
    assertThat(bench.count("ebb.job")).isZero();

    open.rollback();

    assertThat(submitter.submit(unique("held")).duplicate()).isFalse();
    assertThat(submitter.submit(unique("held")).duplicate()).isTrue();
  }

  @Test
  void whoever_waits_for_the_whole_table_waits_as_long_as_any_statement_may() throws Exception {
    open.rollback();
    try (Statement locking = open.createStatement()) {
      locking.execute("lock table ebb.job in exclusive mode");
      Crowd crowd = new Crowd(bench.config, submitter::submit);
      crowd.submit(unique("free"));
      bench.awaitRow(LONGER_THAN_A_BATCH_WAITS, AMPLE);
      open.rollback();

      assertThat(crowd.join().failed).isEmpty();
      assertThat(bench.count("ebb.job")).isOne();
    }
  }
}
