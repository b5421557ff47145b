package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.view.JobView;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Real deliveries to a real server that answers 500, and then is mended. */
class FailingMerchantTest {
  private static final int JOBS = 500;
  private static final Duration CEILING = Duration.ofSeconds(2);

  /**
   * The bound of a Kolmogorov-Smirnov test: a uniform draw of any size n exceeds this divided by
   * the root of n with a probability of 2·exp(−2·2.7²), about one in a million.
   */
  private static final double KOLMOGOROV = 2.7;

  @Test
  void attempts_spread_as_full_jitter_says_then_die_and_a_redrive_delivers() throws Exception {
    RetryPolicy policy =
        RetryPolicy.of(new Backoff.Full(Duration.ZERO, new Growth(CEILING, 1, CEILING)), 2);
    try (WorkerBench bench = new WorkerBench();
        Merchant merchant = new Merchant(1, Duration.ofMillis(5));
        HttpHandler handler =
            new HttpHandler(
                HttpHandlerConfig.defaults()
                    .withAllow("127.0.0.1:" + merchant.port())
                    .withConcurrency(2 * JOBS));
        Worker worker =
            Worker.start(
                bench.database,
                WorkerBench.settings(),
                Map.of("http", handler),
                new SimpleMeterRegistry())) {
      bench.execute(NOTE_WAITS);
      NewJob job =
          NewJob.builder("http", "{\"url\":\"" + merchant.url() + "\",\"body\":{\"paid\":true}}")
              .policy(policy)
              .build();
      List<UUID> ids =
          bench.jobs.submit(Collections.nCopies(JOBS, job)).stream().map(Submitted::id).toList();

      Await.until("all have died", () -> bench.count("ebb.dead_letter") == JOBS);

      assertThat(worker.running()).isZero();
      List<Double> waits = waitsBetweenAttempts(bench);
      assertThat(waits).hasSize(JOBS);
      assertThat(distanceFromUniform(waits)).isLessThan(KOLMOGOROV / Math.sqrt(JOBS));
      JobView dead = bench.view(ids.getFirst());
      assertThat(dead.deadReason()).isEqualTo(Settlement.ATTEMPTS_USED_UP);
      assertThat(dead.lastError()).extracting("reason").isEqualTo("http_500");

      merchant.mend();
      assertThat(bench.changes.act(dead.id(), new JobAction.Redrive(true, true), Bench.ACT))
          .isEqualTo(ActionResult.DONE);
      bench.awaitState(dead.id(), JobState.COMPLETED);
      assertThat(merchant.calls(dead.id())).hasSize(3);
    }
  }

  /**
   * Notes how long each job that failed has to wait, before its row is written: a trigger after it
   * would fire at the end of the statement, which a busy machine may take long to reach.
   */
  private static final String NOTE_WAITS =
      """
      create table wait (seconds double precision);
      create function note_wait() returns trigger language plpgsql as $$
      begin
        insert into wait values (extract(epoch from new.run_at - clock_timestamp()));
        return new;
      end $$;
      create trigger note_wait before update on ebb.job
        for each row execute function note_wait();
      """;

  /** As parts of the ceiling. */
  private static List<Double> waitsBetweenAttempts(WorkerBench bench) throws SQLException {
    List<Double> waits = new ArrayList<>();
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select seconds from wait")) {
      while (rows.next()) {
        waits.add(rows.getDouble(1) / CEILING.toSeconds());
      }
    }
    Collections.sort(waits);
    return waits;
  }

  private static double distanceFromUniform(List<Double> sorted) {
    double distance = 0;
    for (int i = 0; i < sorted.size(); i++) {
      double below = (double) i / sorted.size();
      double upTo = (double) (i + 1) / sorted.size();
      distance = Math.max(distance, Math.max(sorted.get(i) - below, upTo - sorted.get(i)));
    }
    return distance;
  }

  @Test
  void control_delays_without_jitter_fail_the_same_test() {
    List<Double> none = Collections.nCopies(JOBS, 1.0);
    List<Double> equal = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      equal.add(0.5 + 0.5 * i / JOBS);
    }

    assertThat(distanceFromUniform(none)).isGreaterThan(KOLMOGOROV / Math.sqrt(JOBS));
    assertThat(distanceFromUniform(equal)).isGreaterThan(KOLMOGOROV / Math.sqrt(JOBS));
  }
}
