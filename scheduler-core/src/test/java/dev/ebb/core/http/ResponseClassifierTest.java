package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseClassifierTest {
  @ParameterizedTest
  @CsvSource({
    "200,      , Completed",
    "299,      , Completed",
    "204, PT17S, Completed",
    "199,      , Failed",
    "300,      , Failed",
    "399, PT17S, Failed",
    "400,      , Failed",
    "400, PT17S, Throttled",
    "410,      , Fatal",
    "410, PT17S, Fatal",
    "429,      , Throttled",
    "429, PT17S, Throttled",
    "500,      , Failed",
    "501,      , Fatal",
    "501, PT17S, Fatal",
    "503, PT0S , Throttled",
    "599, PT17S, Throttled"
  })
  void a_status_and_its_wait_come_to_one_outcome(
      int status, @Nullable Duration wait, String outcome) {
    assertThat(of(status, wait).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @Test
  void a_throttled_delivery_waits_as_long_as_was_asked_for() {
    Failure failure = new Failure("http_503", "the destination answered 503");

    assertThat(of(503, Duration.ofSeconds(17)))
        .isEqualTo(new Outcome.Throttled(failure, Duration.ofSeconds(17)));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 404, 500})
  void a_failure_is_named_by_its_status(int status) {
    assertThat(of(status, null))
        .isEqualTo(Outcome.failed("http_" + status, "the destination answered " + status));
  }

  private static Outcome of(int status, @Nullable Duration wait) {
    return new ResponseClassifier((_, _) -> null)
        .of(ResponseRules.DEFAULT, new DeliveryResponse(status, wait, false, "", false));
  }
}
