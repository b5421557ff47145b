package dev.ebb.ui.late;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobTimeTest {
  private static final int HISTORIES = 5_000;
  private static final List<String> STATES =
      List.of("available", "running", "completed", "dead_letter", "cancelled");
  private static final List<String> OUTCOMES =
      List.of("failed", "throttled", "fatal", "given_back", "completed", "cancelled");
  private static final String RECORD =
      """
      {"request":{"method":"POST","url":"https://m.example/"},
       "millis":{"lookup":1,"tcp":3,"connect":8,"head":20,"total":21}}
      """;

  @Test
  void stretches_never_overlap_and_add_up_to_the_whole() {
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < HISTORIES; i++) {
      Course course = any(random);
      JobTime time = JobTime.of(course);

      Instant at = Past.NOON;
      for (Stretch stretch : time.stretches()) {
        assertThat(stretch.from()).as("history %s", i).isEqualTo(at);
        assertThat(stretch.length()).as("history %s", i).isPositive();
        at = stretch.until();
      }
      assertThat(at).as("history %s", i).isEqualTo(Span.later(course.end(), Past.NOON));
      assertThat(time.whole()).isEqualTo(Duration.between(Past.NOON, at));
      assertThat(sum(time)).isEqualTo(time.whole());
      assertThat(Past.told(course, null)).doesNotContain(" 0 ms", "null", "Late by :", "−");
    }
  }

  private static Duration sum(JobTime time) {
    return time.totals().stream().map(JobTime.Total::length).reduce(Duration.ZERO, Duration::plus);
  }

  /** Clocks may have been set back, and records may be missing. */
  private static Course any(SplittableRandom random) {
    Past past = random.nextBoolean() ? Past.delivery() : Past.of("report");
    int attempts = random.nextInt(6);
    int at = 0;
    for (int i = 1; i <= attempts; i++) {
      int start = at + random.nextInt(-100, 5_000);
      int end = start + random.nextInt(-10, 500);
      boolean runs = i == attempts && random.nextInt(4) == 0;
      past.add(attempt(random, runs, at + random.nextInt(-1_000, 6_000), start, end));
      at = end;
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      int when = random.nextInt(20_000);
      switch (random.nextInt(5)) {
        case 0 -> past.acted("job.hold", when);
        case 1 -> past.acted("job.hold", when, "heldUntil", Past.at(when + 900L).toString());
        case 2 -> past.acted("job.release", when);
        case 3 -> past.acted("queue.pause", when, "paused", "true");
        default -> past.acted("job.redrive", when);
      }
    }
    past.due(random.nextInt(30_000));
    if (random.nextInt(4) == 0) {
      past.withLater();
    }
    String state = STATES.get(random.nextInt(STATES.size()));
    return past.is(state, random.nextInt(5), at + random.nextInt(-50, 9_000));
  }

  private static Attempt attempt(
      SplittableRandom random, boolean runs, int due, int start, int end) {
    String outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
    Duration limiter = Duration.ofMillis(random.nextInt(3_000));
    boolean known = random.nextInt(5) > 0;
    return new Attempt(
        random.nextInt(1, 5),
        "n",
        known ? Past.at(due) : null,
        known ? new Attempt.WaitParts(limiter, Duration.ofMillis(start - due)) : null,
        Past.at(start),
        runs ? null : Past.at(end),
        runs || random.nextInt(3) == 0 ? null : Past.at(end + random.nextInt(-3, 20)),
        runs ? null : outcome,
        failure(random, outcome),
        random.nextBoolean() ? RECORD : null);
  }

  private static @Nullable Failure failure(SplittableRandom random, String outcome) {
    return switch (outcome) {
      case "failed", "throttled", "fatal" ->
          new Failure(random.nextBoolean() ? "http_500" : "worker_lost", "no");
      default -> null;
    };
  }

  @Test
  void a_job_that_waited_for_its_destination_was_not_waiting_for_a_slot() {
    Course course =
        Past.delivery()
            .keptByItsDestination(1_000, 9_000)
            .attempt(1, "completed", null, 0, 10_000, 10_021, 10_027)
            .is("completed", 1, 10_021);

    assertThat(Past.stretches(course)).startsWith("slot 1000", "destination 8000", "slot 1000");
    assertThat(Past.told(course, null)).contains("8 s went to waiting for the destination");
  }

  @Test
  void a_delivery_that_was_retried_shows_each_part_of_its_time() {
    Course course =
        Past.delivery()
            .attempt(1, "failed", "http_500", RECORD, 0, 2_000, 2_100, 2_125, 2_130)
            .attempt(2, "completed", null, RECORD, 5_000, 9_000, 16_000, 16_021, 16_027)
            .is("completed", 2, 16_021);

    assertThat(Past.stretches(course))
        .containsExactly(
            "scheduled 2000",
            "slot 100",
            "name 1",
            "connect 2",
            "TLS 5",
            "first byte 12",
            "body 1",
            "in the node 4",
            "commit 5",
            "backoff 6870",
            "slot 2000",
            "limiter 5000",
            "name 1",
            "connect 2",
            "TLS 5",
            "first byte 12",
            "body 1",
            "commit 6");
    assertThat(JobTime.of(course).totals().getFirst())
        .isEqualTo(new JobTime.Total(Part.BACKOFF, Duration.ofMillis(6_870), 1));
  }

  @Test
  void holds_and_pauses_take_their_time_from_what_else_the_job_waited_for() {
    Course course =
        Past.delivery()
            .acted("job.hold", 1_000)
            .acted("job.release", 3_000)
            .acted("queue.pause", 2_000, "paused", "true", "pausedUntil", Past.at(4_000) + "")
            .attempt(1, "completed", null, null, 500, 2_500, 6_000, 6_100, 6_100)
            .is("completed", 1, 6_100);

    assertThat(Past.stretches(course))
        .containsExactly(
            "scheduled 1000",
            "held 1500",
            "held 500",
            "paused 1000",
            "slot 1500",
            "limiter 500",
            "run 100");
  }

  @Test
  void a_dead_letter_that_was_redriven_shows_how_long_it_lay_there() {
    Course course =
        Past.of("report")
            .attempt(3, "failed", "exception", 0, 0, 100, 110)
            .attempt(1, "completed", null, 9_110, 9_120, 9_220, 9_220)
            .withEarlier()
            .is("completed", 1, 9_220);

    assertThat(Past.stretches(course))
        .containsExactly("run 100", "commit 10", "dead letter 9000", "slot 10", "run 100");
  }

  @Test
  void lost_workers_and_attempts_that_were_given_back_are_told_apart() {
    Course course =
        Past.of("report")
            .attempt(1, "failed", "worker_lost", 0, 0, 30_000, 30_000)
            .attempt(2, "given_back", null, 31_000, 31_000, 31_500, 31_500)
            .attempt(2, "", null, 31_000, 32_000)
            .is("running", 2, 33_000);

    assertThat(Past.stretches(course))
        .containsExactly(
            "worker lost 30000", "backoff 1000", "given back 500", "slot 500", "run 1000");
  }

  @Test
  void what_is_not_recorded_is_waiting() {
    assertThat(Past.stretches(Past.delivery().due(1_000).is("available", 0, 5_000)))
        .containsExactly("scheduled 1000", "waiting 4000");
    assertThat(
            Past.stretches(
                Past.delivery()
                    .attempt(7, "failed", "http_500", 2_000, 3_000, 3_100, 3_100)
                    .withLater()
                    .is("available", 9, 5_000)))
        .containsExactly("waiting 2000", "slot 1000", "run 100", "waiting 1900");
  }

  @Test
  void a_hold_without_an_end_goes_on_only_while_the_job_is_held() {
    Past past = Past.delivery().acted("job.hold", 1_000).due(0);

    assertThat(Past.stretches(past.is("available", 0, 5_000))).containsExactly("waiting 5000");
    assertThat(Past.stretches(past.heldNow().is("available", 0, 5_000)))
        .containsExactly("waiting 1000", "held 4000");
  }
}
