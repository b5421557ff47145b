package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.claim.ClaimRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker counts of the merchants whose jobs it ran. */
class SubjectCounterTest {
  private WorkerBench bench;

  @BeforeEach
  void open() throws SQLException {
    bench = new WorkerBench();
    bench.execute("update ebb.settings set subject = 'merchant'");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static NewJob job(String fate, String merchant) {
    return NewJob.builder(WorkerBench.KIND, "\"" + fate + "\"")
        .policy(WorkerBench.QUICK)
        .labels(Map.of("merchant", merchant))
        .build();
  }

  /** Runs the jobs on a worker until all have ended but those that snooze, and stops it. */
  private void run(List<NewJob> jobs) throws Exception {
    bench.jobs.submit(jobs);
    Worker worker = bench.start(context -> outcome(context.job().payload()));
    Await.until("all have ended", () -> bench.count("ebb.job where snoozes = 0") == 0);
    worker.close();
  }

  private static Outcome outcome(String fate) {
    return switch (fate) {
      case "\"fail\"" -> Outcome.fatal("http_500", "no");
      case "\"snooze\"" -> new Outcome.NotReady(Duration.ofMinutes(5));
      default -> Outcome.completed();
    };
  }

  private long counted(String column, String subject) throws SQLException {
    return bench.count(
        """
        ebb.subject_stat s
        cross join unnest(s.subjects, s.attempts, s.failed) as u (subject, attempts, failed)
        cross join generate_series(1, u.%s)
        where u.subject = '%s'
        """
            .formatted(column, subject));
  }

  @Test
  void a_drained_node_has_written_what_ended_for_each_subject() throws Exception {
    run(List.of(job("ok", "acme"), job("fail", "acme"), job("ok", "bravo")));

    assertThat(counted("attempts", "acme")).isEqualTo(2);
    assertThat(counted("failed", "acme")).isEqualTo(1);
    assertThat(counted("attempts", "bravo")).isEqualTo(1);
    assertThat(counted("failed", "bravo")).isZero();
  }

  @Test
  void two_nodes_add_up() throws Exception {
    run(List.of(job("ok", "acme")));
    run(List.of(job("fail", "acme")));

    assertThat(bench.count("ebb.subject_stat")).isEqualTo(2);
    assertThat(counted("attempts", "acme")).isEqualTo(2);
  }

  @Test
  void a_snooze_is_no_attempt_of_a_subject() throws Exception {
    run(List.of(job("snooze", "acme"), job("ok", "bravo")));

    assertThat(counted("attempts", "acme")).isZero();
    assertThat(counted("attempts", "bravo")).isOne();
  }

  @Test
  void a_job_that_a_shutdown_gives_back_is_no_attempt_of_a_subject() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    bench.submit(job("ok", "acme"));
    Worker worker =
        bench.start(
            WorkerBench.settings().withDrainTimeout(Duration.ofMillis(1)),
            _ -> {
              runs.countDown();
              new CountDownLatch(1).await();
              return Outcome.completed();
            });
    runs.await();

    worker.close();

    assertThat(bench.count("ebb.job where attempt = 0")).isOne();
    assertThat(bench.count("ebb.subject_stat")).isZero();
  }

  @Test
  void a_lost_worker_is_no_failure_of_a_subject() throws Exception {
    bench.submit(job("ok", "acme"));
    bench.execute("update ebb.job set max_attempts = 1");
    bench.jobs.claim(
        ClaimRequest.of(
            NewJob.DEFAULT_QUEUE, "dead", List.of(WorkerBench.KIND), 1, Duration.ofMillis(1)));
    Worker worker = bench.start(_ -> Outcome.completed());
    Await.until("it is rescued", () -> bench.count("ebb.dead_letter") == 1);
    worker.close();

    assertThat(bench.count("ebb.subject_stat")).isZero();
  }

  @Test
  void jobs_without_a_subject_write_nothing() throws Exception {
    run(List.of(NewJob.of(WorkerBench.KIND, "\"ok\"")));

    assertThat(bench.count("ebb.subject_stat")).isZero();
  }
}
