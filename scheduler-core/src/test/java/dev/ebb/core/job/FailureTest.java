package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class FailureTest {

  @Test
  void reason_and_message_are_cut() {
    Failure failure = new Failure("r".repeat(65), "m".repeat(1025));
    assertThat(failure.reason()).hasSize(64);
    assertThat(failure.message()).hasSize(1024);
  }

  @Test
  void a_cut_never_splits_a_character() {
    for (int before = 1020; before <= 1024; before++) {
      String message = new Failure("r", "m".repeat(before) + "😀".repeat(10)).message();
      assertThat(message.length()).isBetween(1023, 1024);
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(message)).isTrue();
    }
  }

  @Test
  void what_postgresql_or_a_terminal_cannot_hold_is_replaced() {
    assertThat(new Failure("r", "a\0b\u001bc\ud800d\ne\tf\rg").message())
        .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\ne\tf\uFFFDg");
  }

  @Test
  void an_exception_tells_its_causes() {
    Exception thrown = new IllegalStateException("outer", new IOException("inner"));
    assertThat(Failure.of(thrown))
        .isEqualTo(
            new Failure("exception", "IllegalStateException: outer, caused by IOException: inner"));
  }

  @Test
  void an_anonymous_exception_has_a_name_too() {
    Exception anonymous = new Exception() {};
    assertThat(Failure.of(anonymous).message()).startsWith("dev.ebb.core.job.FailureTest$");
  }

  @Test
  void causes_that_go_round_in_circles_end() {
    Exception first = new Exception("first");
    first.initCause(new Exception("second", first));
    assertThat(Failure.of(first).message()).contains("second").hasSizeLessThan(200);
  }
}
