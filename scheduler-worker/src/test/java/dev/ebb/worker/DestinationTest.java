package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.SuccessRule;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that name no URL, and go to the address of their queue. */
class DestinationTest {
  private static final String QUEUE = "acme";

  private final WorkerBench bench = new WorkerBench();
  private final Queues queues = new Queues(bench.database);
  private final Merchant first;
  private final Merchant second;
  private final HttpHandler handler =
      new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"));
  private @Nullable Worker worker;

  DestinationTest() throws IOException {
    first = new Merchant(0, Duration.ofMillis(1));
    second = new Merchant(0, Duration.ofMillis(1));
  }

  @BeforeEach
  void start() {
    worker =
        Worker.start(
            bench.database,
            WorkerBench.settings(),
            Map.of("http", handler),
            new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    if (worker != null) {
      worker.close();
    }
    handler.close();
    first.close();
    second.close();
    bench.close();
  }

  private void address(Merchant merchant, SuccessRule success) throws SQLException {
    Destination destination =
        new Destination(
            URI.create(merchant.url()),
            null,
            Map.of("x-shop", "7"),
            new ResponseRules(success, List.of()),
            null,
            Map.of());
    QueueSettings settings = QueueSettings.of(false, WorkerBench.QUICK).to(destination);
    var _ = queues.putDestination(QUEUE, settings, Bench.ACT, _ -> {});
  }

  private UUID submit() throws SQLException {
    return bench.submit(NewJob.builder("http", "{\"body\":{\"order\":7}}").queue(QUEUE).build());
  }

  @Test
  void a_job_goes_to_the_address_that_its_queue_has_at_the_attempt() throws Exception {
    address(first, SuccessRule.DEFAULT);
    queues.pause(QUEUE, null, Bench.ACT);
    UUID early = submit();
    address(second, SuccessRule.DEFAULT);
    queues.resume(QUEUE, true, Bench.ACT);

    bench.awaitState(early, JobState.COMPLETED);

    assertThat(first.calls(early)).isEmpty();
    assertThat(second.calls(early)).hasSize(1);
    assertThat(bench.view(early).destination()).isEqualTo(QUEUE);
    assertThat(bench.attempts(early).getFirst().detail()).contains("x-shop");
  }

  @Test
  void the_destinations_own_rule_says_what_a_response_means() throws Exception {
    address(first, SuccessRule.preset("alipay"));

    UUID job = submit();

    bench.awaitState(job, JobState.DEAD_LETTER);
    assertThat(bench.view(job).lastError()).extracting("reason").isEqualTo("body_mismatch");
    assertThat(first.calls(job)).hasSize(WorkerBench.QUICK.maxAttempts());
  }

  @Test
  void settings_of_the_queue_keep_its_address_and_an_address_keeps_its_pause() throws Exception {
    address(first, SuccessRule.DEFAULT);
    queues.pause(QUEUE, null, Bench.ACT);
    address(second, SuccessRule.DEFAULT);
    assertThat(queues.find(QUEUE).orElseThrow().settings().paused()).isTrue();

    queues.put(QUEUE, QueueSettings.of(false, null), true, Bench.ACT);

    Optional<Destination> kept = queues.find(QUEUE).map(queue -> queue.settings().destination());
    assertThat(kept.orElseThrow().url()).hasToString(second.url());
  }

  @Test
  void a_job_whose_queue_has_no_address_is_tried_again_until_there_is_one() throws Exception {
    queues.put(QUEUE, QueueSettings.of(false, WorkerBench.QUICK), true, Bench.ACT);

    UUID job = submit();

    bench.awaitState(job, JobState.DEAD_LETTER);
    assertThat(bench.view(job).lastError()).extracting("reason").isEqualTo("no_destination");
    assertThat(bench.attempts(job)).hasSize(WorkerBench.QUICK.maxAttempts());
  }
}
