package dev.ebb.db.stall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Which failures of tests count. */
class FailuresTest {
  private final AssertionError wrong = new AssertionError("wrong");

  private final AtomicLong nanos = new AtomicLong();
  private final Standstills standstills = new Standstills(nanos::get);
  private final Failures failures = new Failures(standstills);

  @Test
  void a_failure_counts_where_the_machine_kept_up() {
    keepUp(Duration.ofSeconds(30));
    long start = nanos.get();
    keepUp(Duration.ofSeconds(5));

    assertThat(failures.failed("test", start, wrong)).isZero();
    assertThat(failures.counted("test")).isSameAs(wrong);
  }

  @Test
  void a_failure_does_not_count_where_the_machine_stood_still_meanwhile() {
    long start = nanos.get();
    keepUp(Duration.ofSeconds(1));
    standStill(Duration.ofSeconds(2));
    keepUp(Duration.ofSeconds(60));

    assertThat(failures.failed("test", start, wrong)).isEqualTo(Duration.ofSeconds(2));
    assertThat(failures.counted("test")).isNull();
  }

  @Test
  void a_standstill_that_has_not_ended_is_seen() {
    long start = nanos.get();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(failures.failed("test", start, wrong)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void a_failure_does_not_count_where_a_write_to_the_disk_took_a_second() {
    long start = nanos.get();
    standstills.begin();
    keepUp(Duration.ofSeconds(3));
    standstills.end();
    keepUp(Duration.ofSeconds(1));

    assertThat(failures.failed("test", start, wrong)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void a_write_that_has_not_ended_is_seen_and_a_short_one_excuses_nothing() {
    long start = nanos.get();
    standstills.begin();
    keepUp(Duration.ofMillis(900));

    assertThat(failures.failed("early", start, wrong)).isZero();
    keepUp(Duration.ofMillis(200));
    assertThat(failures.failed("late", start, wrong)).isEqualTo(Duration.ofMillis(1_100));
  }

  @Test
  void a_standstill_excuses_what_starts_ten_seconds_later_and_nothing_after() {
    standStill(Duration.ofSeconds(3));
    keepUp(Duration.ofSeconds(9));
    long soon = nanos.get();
    keepUp(Duration.ofSeconds(2));
    long later = nanos.get();

    assertThat(failures.failed("soon", soon, wrong)).isEqualTo(Duration.ofSeconds(3));
    assertThat(failures.failed("later", later, wrong)).isZero();
  }

  @Test
  void what_failed_with_a_machine_that_kept_up_fails_again_without_being_run(TestInfo test) {
    String id = "[engine:junit-jupiter]/[class:Counted]/[method:" + test.getDisplayName() + "]";
    Failures.ALL.count(id, wrong);

    assertThatThrownBy(() -> FailedBefore.rethrow(id)).isSameAs(wrong);
  }

  private void keepUp(Duration time) {
    Duration step = Standstills.LEAST.dividedBy(2);
    for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
      standStill(step);
    }
  }

  private void standStill(Duration time) {
    nanos.addAndGet(time.toNanos());
    standstills.look();
  }
}
