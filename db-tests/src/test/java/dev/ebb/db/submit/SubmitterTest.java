package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubmitterTest {
  private static final String STOPPED = "lock table ebb.job in exclusive mode";
  private static final String WAITING =
      """
      pg_locks
      where not granted and relation = 'ebb.job'::regclass
        and database = (select oid from pg_database where datname = current_database())
      """;

  private Bench bench;
  private Submitter submitter;
  private Crowd crowd;

  @BeforeEach
  void open() {
    open(new Bench());
  }

  private void open(Bench opened) {
    bench = opened;
    submitter = new Submitter(bench.database, null);
    crowd = new Crowd(bench.config, submitter::submit);
  }

  @AfterEach
  void close() {
    submitter.close();
    bench.close();
  }

  private static NewJob job(String kind) {
    return NewJob.of(kind, "{}");
  }

  private static NewJob unique(String key) {
    return NewJob.builder("echo", "{}").uniqueKey(key).build();
  }

  /** Jobs of which every third has a unique key, and some keys come again. */
  private static List<NewJob> mixed(int thread, int jobs) {
    return IntStream.range(0, jobs)
        .mapToObj(i -> {
          NewJob.Builder job = NewJob.builder("echo", "[" + thread + "," + i + "]");
          return (i % 3 == 0 ? job.uniqueKey("key-" + i) : job).build();
        })
        .toList();
  }

  @Test
  void whoever_is_answered_finds_his_job_committed() throws Exception {
    for (int thread = 0; thread < 8; thread++) {
      crowd.submitAndLook(mixed(thread, 300));
    }

    crowd.join();

    assertThat(crowd.failed).isEmpty();
    assertThat(crowd.missing).isEmpty();
    assertThat(crowd.answered).hasSize(2400);
    assertThat(bench.count("ebb.job")).isEqualTo(8 * 200 + 100);
    for (NewJob job : crowd.answered.keySet()) {
      JobView stored = bench.reads.find(crowd.answer(job).id()).orElseThrow();
      assertThat(job.payload().equals(stored.payload()))
          .isNotEqualTo(crowd.answer(job).duplicate());
    }
  }

  @Test
  void control_an_answer_before_the_commit_is_noticed() throws Exception {
    try (Connection connection = TestPostgres.connect(bench.config);
        CommitBatcher early =
            new CommitBatcher(
                "early",
                1000,
                new LockedKeys(System::nanoTime),
                (all, _) -> answerBeforeTheCommit(connection, all))) {
      connection.setAutoCommit(false);
      crowd = new Crowd(bench.config, job -> stored(early.submit(pending(job))));
      for (int thread = 0; thread < 8; thread++) {
        crowd.submitAndLook(mixed(thread, 30));
      }

      assertThat(crowd.join().missing).isNotEmpty();
    }
  }

  /** Commits the batch before this one. */
  private static List<SubmitAnswer> answerBeforeTheCommit(
      Connection connection, List<Submission> all) throws SQLException {
    connection.commit();
    return Submissions.store(connection, all);
  }

  private static PendingSubmit pending(NewJob job) {
    return new PendingSubmit(Submission.of(job), 1);
  }

  private static Submitted stored(PendingSubmit.Answer answer) {
    SubmitAnswer written = ((PendingSubmit.Answer.Written) answer).answer();
    return ((SubmitAnswer.Stored) written).jobs().getFirst();
  }

  @Test
  void a_job_that_the_database_refuses_does_not_harm_its_neighbours() throws Exception {
    bench.execute("alter table ebb.job add constraint clean check (kind <> 'poison')");
    whileNothingCanBeStored(() -> {
      crowd.submit(job("first"));
      await(this::isOneBeingStored);
      for (String kind : List.of("before", "poison", "after")) {
        crowd.submit(job(kind));
      }
      await(() -> submitter.waiting() == 3);
    });

    crowd.join();

    assertThat(crowd.failed).containsOnlyKeys(job("poison"));
    assertThat(crowd.failed.get(job("poison")))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    assertThat(crowd.answered).containsOnlyKeys(job("first"), job("before"), job("after"));
    assertThat(bench.count("ebb.job")).isEqualTo(3);
  }

  @Test
  void a_payload_that_is_not_json_is_refused_before_it_gets_in_line() {
    assertThatThrownBy(() -> submitter.submit(NewJob.of("echo", "{")))
        .isInstanceOf(InvalidInput.class);
    assertThat(submitter.room()).isEqualTo(Submitter.ROOM);
  }

  @Test
  void of_duplicates_that_are_committed_together_the_first_is_stored() throws Exception {
    String key = keyOfTwoThatAreCommittedTogether();
    NewJob second = NewJob.builder("echo", "2").uniqueKey(key).build();
    NewJob third = NewJob.builder("echo", "3").uniqueKey(key).build();

    UUID holder = crowd.answer(second).id();
    assertThat(crowd.answer(second).duplicate()).isFalse();
    assertThat(crowd.answer(third)).isEqualTo(Submitted.duplicateOf(holder));
    assertThat(submitter.submit(unique(key))).isEqualTo(Submitted.duplicateOf(holder));
    assertThat(bench.jobs.submit(List.of(unique(key))))
        .containsExactly(Submitted.duplicateOf(holder));
    bench.changes.act(holder, new JobAction.Cancel(), Bench.ACT);
    assertThat(submitter.submit(unique(key)).duplicate()).isFalse();
  }

  /**
   * The key of two jobs that got in line behind a third. That one waits for its lock for a tenth of
   * a second: on a busy machine others are not there by then, and do it again.
   */
  private String keyOfTwoThatAreCommittedTogether() throws Exception {
    for (int round = 0; round < 100; round++) {
      String key = "k-" + round;
      AtomicBoolean together = new AtomicBoolean();
      whileNothingCanBeStored(() -> {
        crowd.submit(unique("before-" + key));
        await(this::isOneBeingStored);
        crowd.submit(NewJob.builder("echo", "2").uniqueKey(key).build());
        if (isInTime(() -> submitter.waiting() == 1)) {
          crowd.submit(NewJob.builder("echo", "3").uniqueKey(key).build());
          together.set(isInTime(() -> submitter.waiting() == 2));
        }
      });
      crowd.join();
      if (together.get()) {
        return key;
      }
    }
    throw new AssertionError("no two jobs were in line together");
  }

  /** Whether it comes true within the time for which whoever is first in line waits for a lock. */
  private static boolean isInTime(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofMillis(200).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    return true;
  }

  @Test
  void who_waits_for_a_key_in_an_open_transaction_keeps_nobody_else_waiting() throws Exception {
    close();
    open(new Bench());
    try (Connection open = TestPostgres.connect(bench.config)) {
      open.setAutoCommit(false);
      Submitted held = JobQueue.submit(open, List.of(unique("held"))).getFirst();
      crowd.submit(unique("held"));
      List<Thread> others = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        others.add(crowd.submit(unique("free-" + i)));
        others.add(crowd.submit(job("plain-" + i)));
      }
      Duration soonerThanTheLockIsGivenUp = bench.config.statementTimeout().dividedBy(2);
      long deadline = System.nanoTime() + soonerThanTheLockIsGivenUp.toNanos();
      for (Thread other : others) {
        assertThat(other.join(Duration.ofNanos(deadline - System.nanoTime()))).isTrue();
      }

      assertThat(crowd.answered).hasSize(40);
      crowd.join();
      assertThat(crowd.failed).containsOnlyKeys(unique("held"));
      open.commit();
      assertThat(submitter.submit(unique("held"))).isEqualTo(Submitted.duplicateOf(held.id()));
    }
  }

  @Test
  void what_waits_is_bounded_in_bytes_and_all_of_it_is_stored_in_the_end() throws Exception {
    String large = "\"" + "x".repeat(NewJob.MAX_PAYLOAD_BYTES - 2) + "\"";
    int fits = Submitter.ROOM / 65;
    whileNothingCanBeStored(() -> {
      for (int i = 0; i < fits + 40; i++) {
        crowd.submit(NewJob.builder("echo", large).priority(i % 10).queue("q" + i).build());
      }
      await(() -> submitter.room() < 65);
      assertThat(submitter.waiting()).isBetween(1, fits);
    });

    crowd.join();

    assertThat(crowd.failed).isEmpty();
    assertThat(bench.count("ebb.job")).isEqualTo(fits + 40);
    assertThat(submitter.room()).isEqualTo(Submitter.ROOM);
  }

  @Test
  void an_interrupted_caller_still_learns_that_his_job_is_committed() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    crowd =
        new Crowd(
            bench.config,
            job -> {
              Submitted submitted = submitter.submit(job);
              if (Thread.currentThread().isInterrupted()) {
                interrupted.countDown();
              }
              return submitted;
            });
    whileNothingCanBeStored(() -> {
      crowd.submit(job("neighbour"));
      await(this::isOneBeingStored);
      Thread caller = crowd.submit(job("echo"));
      await(() -> submitter.waiting() == 1);
      caller.interrupt();
    });

    crowd.join();

    assertThat(crowd.answered).containsOnlyKeys(job("echo"), job("neighbour"));
    assertThat(interrupted.getCount()).isZero();
    assertThat(bench.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void close_answers_all_who_wait_and_refuses_the_next() throws Exception {
    Thread closing = Thread.ofPlatform().unstarted(submitter::close);
    whileNothingCanBeStored(() -> {
      crowd.submit(job("kind-0"));
      await(this::isOneBeingStored);
      for (int i = 1; i < 20; i++) {
        crowd.submit(job("kind-" + i));
      }
      await(() -> submitter.waiting() == 19);
      closing.start();
      await(() -> closing.getState() == Thread.State.WAITING);
    });

    closing.join();
    crowd.join();

    assertThat(crowd.failed).isEmpty();
    assertThat(bench.count("ebb.job")).isEqualTo(20);
    // The first wrote for itself; the nineteen who came meanwhile shared a commit.
    assertThat(bench.count("(select distinct xmin::text from ebb.job) as transaction"))
        .isEqualTo(2);
    assertThatThrownBy(() -> submitter.submit(job("late"))).hasMessageContaining("closed");
    assertThat(bench.count("ebb.job")).isEqualTo(20);
  }

  @Test
  void a_cut_connection_gives_no_false_answer_and_the_next_jobs_go_through() throws Exception {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      callers.add(crowd.submit(job("kind-" + i)));
      if (i % 200 == 100) {
        bench.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
                + " where application_name = 'ebb' and datname = current_database()");
      }
    }

    crowd.join();

    assertThat(callers).hasSize(crowd.answered.size() + crowd.failed.size());
    assertThat(crowd.failed.values()).allMatch(SQLException.class::isInstance);
    for (Submitted submitted : crowd.answered.values()) {
      assertThat(bench.reads.find(submitted.id())).isPresent();
    }
    await(() -> isStored(submitter, job("echo")));
  }

  private static boolean isStored(Submitter submitter, NewJob job) {
    try {
      return !submitter.submit(job).duplicate();
    } catch (SQLException e) {
      return false;
    }
  }

  @Test
  void while_the_database_is_away_everybody_is_told_in_time() throws Exception {
    try (TestPostgres postgres = TestPostgres.start();
        Database database = TestPostgres.open(postgres.newDatabase());
        Submitter own = new Submitter(database, null)) {
      Submitted before = own.submit(job("before"));
      postgres.stop();

      crowd =
          Judged.within(
              Duration.ofSeconds(30),
              "3000 submits are refused",
              bench.config,
              () -> {
                Crowd refused = new Crowd(database.config(), own::submit);
                for (int i = 0; i < 3000; i++) {
                  refused.submit(job("kind-" + i));
                }
                return refused.join();
              });

      assertThat(crowd.failed).hasSize(3000);
      assertThat(crowd.failed.values()).allMatch(SQLException.class::isInstance);
      postgres.restart();
      await(() -> isStored(own, job("after")));
      assertThat(new JobReads(database).find(before.id())).isPresent();
    }
  }

  private interface Steps {
    void run() throws Exception;
  }

  /** Whether the statement that stores a job waits for the lock. */
  private boolean isOneBeingStored() {
    try {
      return bench.count(WAITING) == 1;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void whileNothingCanBeStored(Steps steps) throws Exception {
    try (Connection stopping = TestPostgres.connect(bench.config)) {
      stopping.setAutoCommit(false);
      stopping.createStatement().execute(STOPPED);
      steps.run();
      stopping.rollback();
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }
}
