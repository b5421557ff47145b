package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Bench;
import dev.ebb.db.connection.Statements;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that ask how a payment went. */
class AskingTest {
  private static final String QUESTION =
      """
      {
        "url": "http://BANK/orders/9981", "method": "GET",
        "success": {"body": {"pointer": "/status", "equals": "PAID"}},
        "classes": [{
          "statuses": ["2xx"], "body": {"pointer": "/status", "equals": "PENDING"},
          "effect": "not_ready", "reason": "pending"
        }],
        "result": {"status": "/status", "at": "/paid/at", "amount": "/amount", "all": "/paid"}
      }
      """;

  private final WorkerBench bench = new WorkerBench();
  private final AtomicInteger asked = new AtomicInteger();
  private final HttpHandler handler =
      new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"));
  private final HttpServer bank;
  private volatile int paidAt;

  AskingTest() throws IOException {
    bank = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    bank.createContext(
        "/",
        exchange -> {
          boolean isPaid = asked.incrementAndGet() >= paidAt;
          String answer =
              isPaid
                  ? "{\"status\":\"PAID\",\"paid\":{\"at\":\"08:00\"},\"amount\":12.50}"
                  : "{\"status\":\"PENDING\"}";
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
          }
        });
    bank.start();
    bench.start(handler);
  }

  @AfterEach
  void close() {
    bench.close();
    handler.close();
    bank.stop(0);
  }

  private UUID ask(Duration deadline) throws SQLException {
    Growth growth = new Growth(Duration.ofMillis(20), 2, Duration.ofMillis(200));
    RetryPolicy policy = new RetryPolicy(new Backoff.None(growth), 3, deadline, Map.of());
    NewJob job =
        NewJob.builder(
                WorkerBench.KIND,
                QUESTION.replace("BANK", "127.0.0.1:" + bank.getAddress().getPort()))
            .policy(policy)
            .then(new FollowUps(follows("notify"), follows("cancel"), null))
            .build();
    return bench.jobs.submit(List.of(job)).getFirst().id();
  }

  /** In a queue that nobody serves. */
  private static FollowUp follows(String queue) {
    NewJob job = NewJob.builder("other", "{\"order\":\"9981\"}").queue(queue).build();
    return new FollowUp.Planned(job, "/asked");
  }

  private String payloadIn(String queue) throws SQLException {
    return bench.database.inAutocommit(connection ->
        Statements.one(
            connection,
            "select payload from ebb.job where queue = ?",
            p -> p.text(queue),
            row -> row.getString(1)));
  }

  @Test
  void a_job_that_asks_too_early_asks_again_without_an_attempt_and_keeps_the_final_answer()
      throws Exception {
    paidAt = 6;

    UUID job = ask(Duration.ofMinutes(5));

    bench.awaitState(job, JobState.COMPLETED);
    assertThat(asked).hasValue(6);
    assertThat(bench.view(job).attempt()).isEqualTo(1);
    assertThat(bench.attempts(job).getLast().detail())
        .contains("\"result\":{\"amount\":\"12.50\",\"at\":\"08:00\",\"status\":\"PAID\"}");
    assertThat(payloadIn("notify"))
        .isEqualTo(
            "{\"order\":\"9981\",\"asked\":{\"job\":\""
                + job
                + "\",\"state\":\"completed\","
                + "\"result\":{\"amount\":\"12.50\",\"at\":\"08:00\",\"status\":\"PAID\"}}}");
  }

  @Test
  void a_job_that_is_too_early_until_its_deadline_is_given_up_and_a_redrive_finds_a_late_yes()
      throws Exception {
    paidAt = Integer.MAX_VALUE;
    UUID job = ask(Duration.ofMillis(400));
    bench.awaitState(job, JobState.DEAD_LETTER);
    assertThat(bench.view(job).deadReason()).isEqualTo("deadline");
    assertThat(payloadIn("cancel")).contains("\"deadReason\":\"deadline\"");
    paidAt = 1;
    bench.execute(
        """
        update ebb.dead_letter set policy = jsonb_set(policy, '{deadline}', '"PT1H"')
        """);

    bench.changes.act(job, new JobAction.Redrive(true, true), Bench.ACT);

    bench.awaitState(job, JobState.COMPLETED);
    assertThat(payloadIn("notify")).contains("\"status\":\"PAID\"");
  }
}
