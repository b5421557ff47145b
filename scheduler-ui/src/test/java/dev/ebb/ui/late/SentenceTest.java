package dev.ebb.ui.late;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentenceTest {
  private static final String DUE = "Attempt 3 is due at 2026-01-01T13:00:00Z.";

  private static Past failed(String reason, int times) {
    return failed(Past.delivery(), reason, times);
  }

  /** One that failed at once, and again ten seconds after each failure. */
  private static Past failed(Past past, String reason, int times) {
    for (int i = 0; i < times; i++) {
      int due = i * 10_000;
      past.attempt(i + 1, "failed", reason, due, due + 100, due + 102, due + 102);
    }
    return past;
  }

  @Test
  void a_job_in_time_says_so() {
    Course delivery =
        Past.delivery().attempt(1, "completed", null, 0, 150, 200, 210).is("completed", 1, 200);
    Course report =
        Past.of("report")
            .attempt(1, "completed", null, 0, 150, 90_150, 90_160)
            .is("completed", 1, 90_150);

    assertThat(Past.told(delivery, null))
        .isEqualTo("Delivered 200 ms after it was due, at the first attempt.");
    assertThat(Past.told(report, null))
        .isEqualTo("Completed 1 min 30 s after it was due, at the first attempt.");
  }

  @Test
  void a_delivery_says_what_the_merchant_answered_and_when() {
    String detail =
        """
        {"request": {"method": "POST", "url": "https://shop.example/"}, "response": {"status": 204}}
        """;
    Course course =
        Past.delivery()
            .attempt(1, "completed", null, detail, 0, 0, 150, 200, 210)
            .is("completed", 1, 200);

    assertThat(Past.told(course, null))
        .endsWith("at the first attempt. The merchant answered 204 at 2026-01-01T12:00:00.200Z.");
  }

  @Test
  void a_late_job_says_how_late_and_why() {
    Course course =
        failed("http_500", 2)
            .attempt(3, "completed", null, 20_000, 21_000, 21_007, 21_010)
            .is("completed", 3, 21_007);

    assertThat(Past.told(course, null))
        .isEqualTo(
            "Late by 21 s: the merchant answered 500 twice;"
                + " 19.8 s went to backoff, 1.2 s to waiting for a slot, 11 ms to the deliveries.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "body_mismatch          | the merchant sent another body than expected twice",
        "aborted_by_destination | the merchant asked for no more attempts twice",
        "order_unknown          | the delivery failed with order_unknown twice"
      })
  void what_a_delivery_made_of_the_merchants_answers_is_said_in_words(String reason, String words) {
    Course course =
        failed(reason, 2)
            .attempt(3, "completed", null, 20_000, 21_000, 21_007, 21_010)
            .is("completed", 3, 21_007);

    assertThat(Past.told(course, null)).startsWith("Late by 21 s: " + words + ";");
  }

  @Test
  void a_job_is_late_without_a_failure_if_it_waited_long() {
    Course limited =
        Past.of("report")
            .attempt(1, "completed", null, null, 40_000, 0, 41_000, 41_500, 41_500)
            .is("completed", 1, 41_500);
    Course paused =
        Past.delivery()
            .acted("queue.pause", 0, "paused", "true")
            .acted("queue.resume", 60_000, "paused", "false")
            .attempt(1, "completed", null, 0, 60_010, 60_020, 60_020)
            .is("completed", 1, 60_020);

    assertThat(Past.told(limited, null))
        .isEqualTo(
            "Late by 41.5 s: 40 s went to the queue's rate limit,"
                + " 1 s to waiting for a slot, 500 ms to the handler.");
    assertThat(Past.told(paused, null))
        .isEqualTo(
            "Late by 1 min: 1 min went to a pause of the queue,"
                + " 10 ms to waiting for a slot, 10 ms to the delivery.");
  }

  @Test
  void a_job_that_waits_says_what_the_waiting_answer_says_first() {
    assertThat(Past.told(Past.delivery().due(9_000).is("available", 0, 50), DUE)).isEqualTo(DUE);
    assertThat(Past.told(Past.delivery().is("available", 0, 60_000), "No worker is running."))
        .isEqualTo("Late by 1 min so far: no worker is running.");
    assertThat(Past.told(failed("http_503", 2).due(20_000).is("available", 2, 12_000), DUE))
        .isEqualTo(
            "Late by 12 s so far: the merchant answered 503 twice;"
                + " attempt 3 is due at 2026-01-01T13:00:00Z.");
  }

  @Test
  void a_running_job_says_since_when_it_runs() {
    assertThat(
            Past.told(Past.delivery().attempt(1, "", null, 0, 100).is("running", 1, 3_100), null))
        .isEqualTo("Running for 3 s at the first attempt, which started 100 ms after it was due.");
    Past retried = failed("timeout", 1).attempt(2, "", null, 10_000, 10_500);
    assertThat(Past.told(retried.is("running", 2, 12_500), null))
        .isEqualTo(
            "Late by 12.5 s so far: the merchant timed out once;"
                + " attempt 2 has been running for 2 s.");
  }

  @Test
  void a_dead_letter_says_after_how_many_attempts_it_was_given_up() {
    assertThat(Past.told(failed("http_500", 3).is("dead_letter", 3, 20_102), null))
        .isEqualTo(
            "Given up after 3 attempts, 20.1 s after it was due: the merchant answered 500 three"
                + " times; 19.8 s went to backoff, 300 ms to waiting for a slot, 6 ms to the"
                + " deliveries.");
    assertThat(
            Past.told(failed(Past.of("report"), "exception", 3).is("dead_letter", 3, 20_102), null))
        .contains("the handler failed with exception three times;", "to backoff or snoozes");
  }

  @Test
  void a_cancelled_job_says_how_far_it_had_come() {
    assertThat(Past.told(Past.delivery().due(9_000).is("cancelled", 0, 5_000), null))
        .isEqualTo("Cancelled before it ran and before it was due.");
    assertThat(Past.told(failed("http_500", 1).due(10_000).is("cancelled", 1, 4_102), null))
        .startsWith(
            "Cancelled while retrying after 1 attempt, 4.1 s after it was due: the merchant"
                + " answered 500 once; 4 s went to backoff");
    assertThat(
            Past.told(
                Past.delivery()
                    .attempt(1, "cancelled", null, 0, 10, 500, 500)
                    .is("cancelled", 1, 500),
                null))
        .startsWith("Cancelled while it ran after 1 attempt, 500 ms after it was due");
    assertThat(Past.told(failed("http_500", 3).is("cancelled", 3, 90_000), null))
        .startsWith("Cancelled as a dead letter after 3 attempts, 1 min 30 s after it was due");
  }

  @Test
  void what_the_attempts_do_not_show_is_told_as_at_least() {
    Course cut = failed("http_500", 3).withLater().is("completed", 40, 900_000);

    assertThat(Past.told(cut, null))
        .startsWith(
            "Late by 15 min: the merchant answered 500 at least three times; at least 14 min")
        .contains("to what is not recorded");
    assertThat(Past.told(Past.delivery().is("completed", 4, 9_000), null))
        .isEqualTo("Delivered at attempt 4.");
  }

  @Test
  void an_attempt_that_was_given_back_is_no_failure() {
    Course course =
        Past.delivery()
            .attempt(1, "given_back", null, 0, 10, 400, 400)
            .attempt(1, "completed", null, 0, 500, 600, 600)
            .is("completed", 1, 600);

    assertThat(Past.told(course, null))
        .isEqualTo(
            "Delivered 600 ms after it was due, at the first attempt; a node gave it back once.");
  }

  @Test
  void a_lost_worker_is_not_the_merchants_failure() {
    Course course =
        failed("worker_lost", 1)
            .attempt(2, "failed", "http_500", 10_000, 10_000, 10_100, 10_100)
            .attempt(3, "completed", null, 20_000, 20_000, 20_010, 20_010)
            .is("completed", 3, 20_010);

    assertThat(Past.told(course, null))
        .startsWith("Late by 20 s: its worker was lost once and the merchant answered 500 once;");
  }

  @Test
  void a_redriven_job_counts_from_its_last_redrive() {
    Course course =
        failed("http_500", 3)
            .attempt(1, "failed", "timeout", 600_000, 600_000, 600_010, 600_010)
            .attempt(2, "completed", null, 630_000, 630_000, 630_010, 630_010)
            .is("completed", 2, 630_010);

    assertThat(Past.told(course, null))
        .isEqualTo(
            "Late by 30 s after its redrive: the merchant timed out once;"
                + " 30 s went to backoff, 20 ms to the deliveries.");
    assertThat(
            Past.told(
                failed("http_500", 3).due(600_000).is("available", 0, 601_000),
                "No worker is running."))
        .isEqualTo("No worker is running.");
  }

  @Test
  void a_hold_before_it_was_due_is_told() {
    Course course =
        Past.delivery()
            .acted("job.hold", 1_000, "heldUntil", Past.at(3_601_000).toString())
            .attempt(1, "completed", null, 3_601_000, 3_601_100, 3_601_200, 3_601_200)
            .is("completed", 1, 3_601_200);

    assertThat(Past.told(course, null))
        .isEqualTo(
            "Delivered 200 ms after it was due, at the first attempt;"
                + " it was held for 1 h before it was due.");
  }

  @Test
  void different_failures_are_told_by_how_often_they_came() {
    Course course =
        failed("http_500", 1)
            .attempt(2, "throttled", "http_429", 10_000, 10_000, 10_010, 10_010)
            .attempt(3, "throttled", "http_429", 20_000, 20_000, 20_010, 20_010)
            .attempt(4, "fatal", "http_410", 30_000, 30_000, 30_010, 30_010)
            .is("dead_letter", 4, 30_010);

    assertThat(Failures.words(course.attempts(), true, false))
        .isEqualTo("the merchant answered 429 twice, answered 500 once and answered 410 once");
  }
}
