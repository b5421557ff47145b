package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClaimFailuresTest {
  private final AtomicLong now = new AtomicLong();
  private final ClaimFailures failures = new ClaimFailures(now::get);

  @Test
  void claims_that_all_fail_for_five_seconds_are_trouble_until_one_succeeds() {
    fail(3);
    tick(Duration.ofMillis(4_999));
    assertThat(failures.trouble()).isNull();

    tick(Duration.ofMillis(1));
    assertThat(failures.trouble()).isEqualTo("claims keep failing: the role lacks a right (42501)");

    failures.succeeded();
    assertThat(failures.trouble()).isNull();
  }

  @Test
  void a_claim_that_fails_among_others_that_succeed_is_none() {
    for (int second = 0; second < 60; second++) {
      fail(2);
      failures.succeeded();
      tick(Duration.ofSeconds(1));
    }

    assertThat(failures.trouble()).isNull();
  }

  @Test
  void one_or_two_failures_are_none_however_long_ago() {
    fail(2);
    tick(Duration.ofHours(1));

    assertThat(failures.trouble()).isNull();
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      failures.failed(new SQLException("permission denied for table job", "42501"));
    }
  }

  private void tick(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
