package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.Await;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.trace.Traces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
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
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final Attempts traced =
      new Attempts(
          "node",
          Traces.of(
              OpenTelemetrySdk.builder()
                  .setTracerProvider(
                      SdkTracerProvider.builder()
                          .addSpanProcessor(SimpleSpanProcessor.create(spans))
                          .build())
                  .build()));
  private final CountDownLatch ends = new CountDownLatch(1);
  private JobExecutor executor =
      executor(new Attempts("node", Traces.OFF), _ -> Outcome.completed());

  private JobExecutor executor(Attempts attempts, Handler handler) {
    Map<String, JobExecutor.Kind> kinds = Map.of(KIND, JobExecutor.Kind.of(KIND, handler));
    return new JobExecutor(attempts, kinds, slots, leases, settler, () -> {});
  }

  @AfterEach
  void close() {
    settler.loop().close();
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
    begin(claimedAt, jobs);
    Await.until("all have ended", () -> executor.running().isEmpty() && slots.taken() == 0);
  }

  private void begin(Instant claimedAt, ClaimedJob... jobs) {
    int reserved = executor.reserve(List.of(QUEUE), 5).getOrDefault(QUEUE, 0);
    executor.start(
        QUEUE, reserved, new Lease(7, claimedAt, List.of(jobs), List.of()), System.nanoTime());
  }

  private List<String> outcomes() {
    AttributeKey<String> outcome = AttributeKey.stringKey("ebb.job.outcome");
    return spans.getFinishedSpanItems().stream()
        .map(span -> String.valueOf(span.getAttributes().get(outcome)))
        .toList();
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
  }

  @Test
  @SuppressWarnings("NullAway")
  void an_attempt_that_cannot_be_run_is_kept_by_no_lease() throws Exception {
    executor = executor(new Attempts("node", null), _ -> Outcome.completed());

    start(Instant.now(), claimed(KIND));

    assertThat(leases.isEmpty()).isTrue();
  }

  private static void awaitUninterrupted(CountDownLatch ends) {
    while (ends.getCount() > 0) {
      try {
        ends.await();
      } catch (InterruptedException _) {
        // It was told to end, and goes on.
      }
    }
  }

  /** Too many settlements wait for that of the watchdog. */
  private void abandonInVain() {
    while (settler.offer(finished())) {
      assertThat(settler.unwritten()).isLessThan(10_000);
    }
    Execution execution = executor.running().iterator().next();
    execution.end(Execution.End.TIMEOUT);
    executor.abandon(execution);
  }

  private static FinishedAttempt finished() {
    return new FinishedAttempt(
        claimed(KIND),
        Outcome.completed(),
        new Settlement.Complete(),
        "node",
        System.nanoTime(),
        Duration.ZERO,
        null);
  }

  @Test
  void a_span_ends_as_its_attempt_is_settled() throws Exception {
    executor =
        executor(
            traced,
            _ -> {
              awaitUninterrupted(ends);
              return Outcome.completed();
            });
    begin(Instant.now(), claimed(KIND));

    abandonInVain();
    assertThat(outcomes()).isEmpty();
    settler.loop().start();
    ends.countDown();

    Await.until("it has ended", () -> !outcomes().isEmpty());
    assertThat(outcomes()).containsExactly("completed");
  }

  @Test
  void the_span_of_an_attempt_that_is_left_to_a_rescue_ends_as_the_rescue_settles_it()
      throws Exception {
    executor = executor(traced, _ -> Outcome.completed());

    start(Instant.MAX, claimed(KIND));

    assertThat(outcomes()).containsExactly("failed");
  }

  @Test
  void a_span_that_begins_after_its_attempt_was_settled_ends_as_that_was() {
    Execution execution =
        new Execution(claimed(KIND), Instant.now(), System.nanoTime(), Duration.ofSeconds(1));

    traced.ended(execution, Outcome.failed("timeout", "too late"));
    assertThat(traced.run(execution, _ -> Outcome.completed())).isEqualTo(Outcome.completed());
    traced.ended(execution, Outcome.completed());

    assertThat(outcomes()).containsExactly("failed");
  }
}
