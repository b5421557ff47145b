package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.start.PausedStart;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes leave alone until people resume the start. */
class PausedStartTest {
  private static final Act ACT = Act.onMachine("EBB_START=paused");

  /** Longer than a rescuer lets the owners of such leases renew, and than any look at the start. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(5);

  private final WorkerBench bench = new WorkerBench();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch rest = new CountDownLatch(1);
  private PausedStart start;

  @BeforeEach
  void pause() throws Exception {
    start = new PausedStart(bench.database);
  }

  @AfterEach
  void close() {
    rest.countDown();
    bench.close();
  }

  private void startNode(String name) {
    bench.start(
        WorkerBench.settings().withNode(name).withLease(Duration.ofSeconds(1)),
        _ -> {
          runs.incrementAndGet();
          return Outcome.completed();
        });
  }

  /** A job that a node held which is gone, in a lease that expired long ago. */
  private UUID orphan() throws Exception {
    UUID job = bench.submit("{}");
    bench.jobs.claim(
        ClaimRequest.of(
            NewJob.DEFAULT_QUEUE, "gone", List.of(WorkerBench.KIND), 1, Duration.ofSeconds(15)));
    bench.execute("update ebb.lease set expires_at = now() - interval '1 hour'");
    return job;
  }

  private static UUID retryAll(Operations operations) throws Exception {
    return WorkerBench.startOnAll(operations, new JobAction.Retry(false), 2);
  }

  @Test
  void nothing_is_claimed_rescued_or_carried_on_before_people_resume_the_start() throws Exception {
    start.pause(ACT);
    UUID orphan = orphan();
    UUID due = bench.submit("{}");
    Operations operations = new Operations(bench.database);
    UUID operation = retryAll(operations);
    startNode("first");
    startNode("second");

    assertThat(rest.await(LONG_ENOUGH.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    UUID later = bench.submit("{}");
    assertThat(runs).hasValue(0);
    assertThat(bench.count("ebb.lease")).isOne();
    assertThat(operations.find(operation).orElseThrow().state())
        .isNotEqualTo(OperationState.COMPLETED);

    start.resume(Bench.ACT);
    for (UUID job : List.of(orphan, due, later)) {
      bench.awaitState(job, JobState.COMPLETED);
    }
    Await.until(
        "the operation ends",
        () -> operations.find(operation).orElseThrow().state() == OperationState.COMPLETED);
  }

  @Test
  void nodes_that_run_notice_a_pause_within_seconds_and_end_what_runs() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    bench.start(
        WorkerBench.settings(),
        _ -> {
          runs.incrementAndGet();
          running.countDown();
          rest.await();
          return Outcome.completed();
        });
    UUID first = bench.submit("{}");
    running.await();

    start.pause(ACT);
    assertThat(new CountDownLatch(1).await(LONG_ENOUGH.toMillis(), TimeUnit.MILLISECONDS))
        .isFalse();
    UUID second = bench.submit("{}");
    rest.countDown();
    bench.awaitState(first, JobState.COMPLETED);

    assertThat(bench.view(second).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(runs).hasValue(1);
    start.resume(Bench.ACT);
    bench.awaitState(second, JobState.COMPLETED);
  }
}
