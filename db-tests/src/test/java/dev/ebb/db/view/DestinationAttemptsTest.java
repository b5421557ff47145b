package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.schema.Partitions;
import dev.ebb.db.schema.Retention;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The last attempts of a destination, across its jobs. */
class DestinationAttemptsTest {
  private static final String ANSWERED =
      """
      {"request": {"url": "https://acme.example/secret"}, "response": {"status": %s, "body": "b"},
       "rule": "default: %s is not in the http-2xx", "millis": {"total": 3}}
      """;

  private Bench bench;
  private DestinationAttempts attempts;

  @BeforeEach
  void open() {
    bench = new Bench();
    attempts = new DestinationAttempts(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private UUID submit(String kind) throws SQLException {
    String payload = kind.equals("http") ? "{\"url\":\"https://acme.example/\"}" : "{}";
    return bench.submit(NewJob.builder(kind, payload).build());
  }

  private void end(Outcome outcome, Settlement settlement, @Nullable String detail)
      throws SQLException {
    ClaimedJob claimed = claim();
    FinishedAttempt ended =
        new FinishedAttempt(
            claimed, outcome, settlement, "n1", System.nanoTime(), Duration.ofMillis(3), detail);
    assertThat(bench.jobs.settle(List.of(ended), List.of(claimed.fencingToken()))).isEmpty();
  }

  private ClaimedJob claim() throws SQLException {
    return bench
        .jobs
        .claim(ClaimRequest.of(Bench.QUEUE, "n1", List.of("http", "echo"), 1, Bench.LEASE))
        .orElseThrow()
        .jobs()
        .getFirst();
  }

  private static Settlement retry(String reason) {
    return new Settlement.Retry(Duration.ZERO, Bench.failure(reason));
  }

  @Test
  void attempts_that_failed_and_that_ended_jobs_are_there_newest_first() throws SQLException {
    UUID job = submit("http");
    end(Outcome.failed("http_503", "no"), retry("http_503"), ANSWERED.formatted(503, 503));
    end(Outcome.failed("connect", "no"), retry("connect"), "{\"request\": {}}");
    end(Outcome.completed(), new Settlement.Complete(), ANSWERED.formatted(200, 200));

    List<EndedAttempt> last = attempts.last(Bench.QUEUE, 50);

    assertThat(last).extracting(EndedAttempt::job).containsOnly(job);
    assertThat(last).extracting(EndedAttempt::number).containsExactly(3, 2, 1);
    assertThat(last)
        .extracting(EndedAttempt::outcome)
        .containsExactly("completed", "failed", "failed");
    assertThat(last).extracting(EndedAttempt::reason).containsExactly(null, "connect", "http_503");
    assertThat(last).extracting(EndedAttempt::status).containsExactly(200, null, 503);
    assertThat(last.getLast().rule()).isEqualTo("default: 503 is not in the http-2xx");
    assertThat(attempts.last(Bench.QUEUE, 2)).isEqualTo(last.subList(0, 2));
    assertThat(attempts.last("other", 2)).isEmpty();
  }

  @Test
  void the_attempt_of_a_dead_letter_is_among_them_and_that_of_another_kind_is_not()
      throws SQLException {
    submit("http");
    Settlement dead =
        new Settlement.DeadLetter(Settlement.ATTEMPTS_USED_UP, Bench.failure("http_500"));
    end(Outcome.failed("http_500", "no"), dead, null);
    submit("echo");
    end(Outcome.failed("x", "no"), retry("x"), null);
    end(Outcome.completed(), new Settlement.Complete(), null);

    assertThat(attempts.last(Bench.QUEUE, 50))
        .extracting(EndedAttempt::reason)
        .containsExactly("http_500");
  }

  @Test
  void a_record_that_is_no_json_hides_no_attempt() throws SQLException {
    List<String> records =
        List.of(
            "no json",
            "[]",
            "\"text\"",
            "{\"response\": {\"status\": 200, \"body\": \"\\u0000\"}}",
            "{\"response\": {\"status\": 200, \"body\": \"\\ud800\"}}",
            ANSWERED.formatted("\"none\"", 1),
            ANSWERED.formatted("2.5", 1),
            ANSWERED.formatted("99999999999", 1));
    submit("http");
    for (String record : records) {
      end(Outcome.failed("http_503", "no"), retry("http_503"), record);
    }

    assertThat(attempts.last(Bench.QUEUE, 50))
        .hasSameSizeAs(records)
        .extracting(EndedAttempt::status)
        .containsOnlyNulls();
  }

  @Test
  void the_attempts_of_a_job_that_was_cancelled_while_it_ran_are_among_them() throws SQLException {
    submit("http");
    end(new Outcome.Cancelled(), new Settlement.Cancel(), null);

    assertThat(attempts.last(Bench.QUEUE, 50))
        .extracting(EndedAttempt::outcome)
        .containsExactly("cancelled");
  }

  @Test
  void what_the_history_no_longer_keeps_is_left_out() throws SQLException {
    submit("http");
    end(Outcome.completed(), new Settlement.Complete(), null);
    bench.execute("truncate ebb.history");

    assertThat(attempts.last(Bench.QUEUE, 50)).isEmpty();
  }

  @Test
  void the_list_ends_where_attempts_are_kept_no_longer_so_that_successes_are_not_half_of_it()
      throws SQLException {
    submit("http");
    end(Outcome.completed(), new Settlement.Complete(), null);
    bench.execute("update ebb.history set ended_at = ended_at - interval '3 days'");
    bench.execute("update ebb.delivered set ended_at = ended_at - interval '3 days'");

    assertThat(attempts.last(Bench.QUEUE, 50)).isEmpty();
  }

  @Test
  void the_day_that_comes_next_is_emptied_of_what_is_a_week_old_and_of_nothing_young()
      throws SQLException {
    String next = "floor(extract(epoch from now()) / 86400)::bigint + 1) % 8";
    bench.execute(
        """
        insert into ebb.delivered (ended_at, job_id, queue, part)
        select now() - interval '7 days', uuidv7(), 'old', (NEXT
        """
            .replace("NEXT", next));
    assertThat(new Partitions(bench.database).roll(Retention.of(14)))
        .isEqualTo(Partitions.Step.DONE);
    assertThat(bench.count("ebb.delivered")).isZero();

    bench.execute(
        """
        insert into ebb.delivered (ended_at, job_id, queue, part)
        select now() - interval '5 days', uuidv7(), 'young', (NEXT
        """
            .replace("NEXT", next));
    assertThat(new Partitions(bench.database).roll(Retention.of(14)))
        .isEqualTo(Partitions.Step.DONE);
    assertThat(bench.count("ebb.delivered")).isOne();
  }

  /** Jobs of ten destinations that ended in the last days, so many of each. */
  private void ended(int many) throws SQLException {
    bench.execute(
        """
        with kept as (
          insert into ebb.history (ended_at, id, run_at, created_at, started_at, attempt,
            max_attempts, priority, cancelled, queue, kind, node, destination, detail)
          select now() - i * interval '1 millisecond', uuidv7(), now(), now(), now(), 1, 3, 5,
            false, 'd' || i %% 10, 'http', 'n', 'd' || i %% 10, '{}'
          from generate_series(1, %s) i
          returning id, ended_at, queue
        )
        insert into ebb.delivered (ended_at, job_id, queue, part)
        select ended_at, id, queue, hashtext(id::text) & 7 from kept
        """
            .formatted(10 * many));
    bench.execute("vacuum analyze ebb.history");
    bench.execute("vacuum analyze ebb.delivered");
  }

  private long blocks() throws SQLException {
    bench.resetBlocks();
    assertThat(attempts.last("d7", 51)).hasSize(51);
    return bench.blocks("%from last l%");
  }

  @Test
  void a_look_costs_the_same_among_ten_times_as_many_ended_jobs() throws SQLException {
    bench.countBlocks();
    ended(500);
    var _ = blocks();
    long few = blocks();
    ended(4_500);
    var _ = blocks();

    assertThat(few).isPositive();
    assertThat(blocks()).isLessThanOrEqualTo(2 * few);
  }
}
