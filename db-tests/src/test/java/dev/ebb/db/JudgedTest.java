package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the judgement of a run beside a stall meter comes to. */
class JudgedTest {
  private static final Optional<AssertionError> MISSED =
      Optional.of(new AssertionError("too late"));

  private static final StallMeter.Stalls QUIET = new StallMeter.Stalls(49, 1.9, 49);

  @Test
  void a_miss_on_a_machine_that_keeps_up_fails_the_test() {
    assertThatThrownBy(() -> Judged.isJudged("a rate", MISSED, QUIET))
        .isSameAs(MISSED.orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"50, 0, 0", "0, 2, 0", "0, 0, 50"})
  void a_miss_on_a_machine_that_stalls_is_not_judged(double late, double mean, double commit) {
    assertThat(Judged.isJudged("a rate", MISSED, new StallMeter.Stalls(late, mean, commit)))
        .isFalse();
  }

  @Test
  void a_run_that_misses_nothing_is_judged_whatever_the_machine_does() {
    assertThat(Judged.isJudged("a rate", Optional.empty(), new StallMeter.Stalls(900, 90, 900)))
        .isTrue();
  }

  @Test
  void the_meter_times_wake_ups_and_commits() throws Exception {
    try (StallMeter meter = StallMeter.start(TestPostgres.shared().config("postgres"))) {
      new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS);

      System.out.println("this machine: " + meter.stalls());
      assertThat(meter.stalls().lateness()).isPositive();
      assertThat(meter.stalls().meanLateness()).isPositive();
      assertThat(meter.stalls().commit()).isPositive();
    }
  }
}
