package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.settings.ClusterSettings;
import dev.ebb.db.settings.ClusterSettings.Chosen;
import dev.ebb.db.start.PausedStart;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** A destination had a dead letter that is grouped, and the notice of it is due. */
  private void noticeIsDue() throws Exception {
    for (String name : List.of("acme", "operations")) {
      URI url = URI.create("https://" + name + ".example/");
      Destination address =
          new Destination(url, null, Map.of(), ResponseRules.DEFAULT, null, Map.of());
      QueueSettings settings = QueueSettings.of(false, null).to(address);
      var _ = new Queues(bench.database).putDestination(name, settings, Bench.ACT, _ -> {});
    }
    var _ =
        new ClusterSettings(bench.database)
            .change(before -> new Chosen(before.subject(), "operations"), Bench.ACT, _ -> {});
    DeadLetters.in("acme").store(bench.config, 1);
    var _ = DeadLetters.group(bench.database);
    bench.execute("update ebb.dead_letter_notice set next_at = now() - interval '1 second'");
  }

  @Test
  void dead_letters_are_grouped_while_the_start_is_paused_and_told_of_once_it_is_resumed()
      throws Exception {
    start.pause(ACT);
    noticeIsDue();
    DeadLetters.in("acme").store(bench.config, 1);
    startNode("first");

    // Whatever groups it would tell of the other in the same transaction.
    Await.until(
        "it is grouped", () -> bench.count("ebb.dead_letter where error_group is null") == 0);
    assertThat(bench.count("ebb.job where queue = 'operations'")).isZero();
    assertThat(bench.count("ebb.dead_letter_notice where dead = 2")).isOne();

    start.resume(Bench.ACT);
    Await.until("it is told", () -> bench.count("ebb.job where queue = 'operations'") == 1);
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
