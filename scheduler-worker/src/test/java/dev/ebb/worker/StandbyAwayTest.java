package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Jobs run while no commit that waits for a standby comes through: claims do not wait for it, and
 * outcomes do. Whatever ran then, runs again after a promotion.
 */
class StandbyAwayTest {
  private static final int JOBS = 600;
  private static final int SLOTS = 20;

  private static TestPostgres postgres;

  private final AtomicInteger calls = new AtomicInteger();
  private WorkerBench bench;

  @BeforeAll
  static void startServer() {
    postgres = TestPostgres.start();
  }

  @AfterAll
  static void stopServer() {
    postgres.close();
  }

  @BeforeEach
  void submitAndLoseTheStandby() throws Exception {
    bench = new WorkerBench(postgres.newDatabase());
    bench.jobs.submit(Collections.nCopies(JOBS, NewJob.builder(WorkerBench.KIND, "{}").build()));
    setStandby("'nobody'");
  }

  @AfterEach
  void close() {
    setStandby("''");
    bench.close();
  }

  private static void setStandby(String name) {
    postgres.execute("alter system set synchronous_standby_names = " + name);
    postgres.execute("select pg_reload_conf()");
  }

  private Worker start(String node, int slots) {
    return bench.start(
        WorkerBench.settings().withNode(node).withConcurrency(slots),
        _ -> {
          calls.incrementAndGet();
          return Outcome.completed();
        });
  }

  private static void awaitBehind(Worker worker) throws Exception {
    Await.until("an outcome waits", worker::isBehind);
    assertThat(worker.trouble()).isNotNull();
  }

  @Test
  void no_more_jobs_run_than_there_are_slots_while_no_outcome_can_be_stored() throws Exception {
    Worker first = start("first", SLOTS);
    Worker second = start("second", SLOTS);
    awaitBehind(first);
    awaitBehind(second);

    // Time enough for many more claims.
    new CountDownLatch(1).await(2, TimeUnit.SECONDS);
    assertThat(calls).hasValueBetween(2, 2 * SLOTS);
    assertThat(bench.count("ebb.history")).isZero();

    setStandby("''");
    Await.until("every job has ended", () -> bench.count("ebb.history") == JOBS);
    assertThat(calls).hasValue(JOBS);
    // A beat that was refused tells until the next one.
    Await.until("nothing is wrong", () -> first.trouble() == null);
  }

  /** The control: nothing but the bound keeps the others from running. */
  @Test
  void with_a_slot_for_each_job_all_of_them_run_although_no_outcome_can_be_stored()
      throws Exception {
    Worker worker = start("roomy", 2 * JOBS);

    Await.until("every job has run", () -> calls.get() >= JOBS);
    awaitBehind(worker);
    assertThat(bench.count("ebb.history")).isZero();
  }
}
