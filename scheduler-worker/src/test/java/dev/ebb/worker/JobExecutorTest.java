package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.Await;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.trace.Traces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a job when this node itself fails at it. */
class JobExecutorTest {
  private static final String QUEUE = "queue";
  private static final String KIND = "kind";

  private final WorkerBench bench = new WorkerBench();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Slots slots = new Slots(10, 1 << 20, false);
  private final Leases leases = new Leases(Duration.ofSeconds(15));
  private final FailureLog failureLog = new FailureLog(registry);
  private final Settler settler =
      new Settler(bench.jobs, leases, _ -> {}, () -> {}, new Meters(registry, slots), failureLog);
  private final JobExecutor executor =
      new JobExecutor(
          new Attempts("node", Traces.OFF),
          Map.of(KIND, JobExecutor.Kind.of(KIND, _ -> Outcome.completed())),
          slots,
          leases,
          settler,
          () -> {});

  @AfterEach
  void close() {
    bench.close();
  }

  private static ClaimedJob claimed(String kind) {
    Job job =
        new Job(
            UUID.randomUUID(),
            kind,
            QUEUE,
            5,
            "{}",
            1,
            16,
            0,
            Instant.EPOCH,
            Duration.ZERO,
            Presets.policy("default"),
            null,
            false,
            null);
    return new ClaimedJob(job, 7, 0, 2, null, null, false, false, null);
  }

  private void start(Instant claimedAt, ClaimedJob... jobs) throws Exception {
    int reserved = executor.reserve(List.of(QUEUE), 5).getOrDefault(QUEUE, 0);
    executor.start(
        QUEUE, reserved, new Lease(7, claimedAt, List.of(jobs), List.of()), System.nanoTime());
    Await.until("all have ended", () -> executor.running().isEmpty() && slots.taken() == 0);
  }

  @Test
  void an_attempt_whose_settlement_cannot_be_made_is_kept_by_no_lease() throws Exception {
    // No instant lies behind this one, so that the end of the attempt has none.
    start(Instant.MAX, claimed(KIND));

    assertThat(leases.isEmpty()).isTrue();
  }

  @Test
  void a_job_that_cannot_be_started_is_kept_by_no_lease_and_takes_no_slot() throws Exception {
    start(Instant.now(), claimed("unknown"));

    assertThat(leases.isEmpty()).isTrue();
  }

  @Test
  void it_costs_its_neighbours_nothing() throws Exception {
    start(Instant.now(), claimed("unknown"), claimed(KIND));
    assertThat(leases.isOpen(7)).as("until the other is settled").isTrue();

    settler.loop().start();

    Await.until("the lease is let go", leases::isEmpty);
    settler.loop().close();
  }
}
