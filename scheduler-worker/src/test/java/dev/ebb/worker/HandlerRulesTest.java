package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler says of all jobs of its kind. */
class HandlerRulesTest {
  private static final RetryPolicy HAMMERING =
      RetryPolicy.of(new Backoff.None(new Growth(Duration.ZERO, 1, Duration.ZERO)), 5);

  private final WorkerBench bench = new WorkerBench();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_jobs_longer_timeout_is_cut_to_the_longest_of_its_kind() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        HttpHandler handler =
            new HttpHandler(
                HttpHandlerConfig.defaults()
                    .withAllow("127.0.0.1:" + silent.getLocalPort())
                    .withLongestTimeout(Duration.ofSeconds(1)))) {
      bench.start(handler);
      UUID id =
          bench.submit(
              NewJob.builder(
                      WorkerBench.KIND,
                      "{\"url\":\"http://127.0.0.1:" + silent.getLocalPort() + "/\"}")
                  .timeout(Duration.ofDays(1))
                  .maxAttempts(1)
                  .build());
      bench.awaitState(id, JobState.DEAD_LETTER);

      assertThat(bench.view(id).lastError()).extracting("reason").isEqualTo("timeout");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.999S", "PT24H0.001S"})
  void a_longest_timeout_beyond_its_bounds_is_refused(Duration longest) {
    assertThat(
            catchThrowableOfType(
                    InvalidInput.class,
                    () -> HttpHandlerConfig.defaults().withLongestTimeout(longest))
                .field())
        .isEqualTo("longestTimeout");
  }

  @Test
  void a_policy_of_zero_delays_does_not_hammer_a_receiver() throws Exception {
    try (Merchant merchant = new Merchant(1, Duration.ofNanos(1));
        HttpHandler handler =
            new HttpHandler(
                HttpHandlerConfig.defaults().withAllow("127.0.0.1:" + merchant.port()))) {
      bench.start(handler);
      UUID id =
          bench.submit(
              NewJob.builder(WorkerBench.KIND, "{\"url\":\"" + merchant.url() + "\"}")
                  .policy(HAMMERING)
                  .build());
      bench.awaitState(id, JobState.DEAD_LETTER);

      List<Merchant.Call> calls = merchant.calls(id);
      assertThat(calls).hasSize(5);
      for (int i = 1; i < calls.size(); i++) {
        long apart = calls.get(i).atNanos() - calls.get(i - 1).atNanos();
        assertThat(Duration.ofNanos(apart)).isGreaterThan(Duration.ofMillis(100));
      }
    }
  }
}
