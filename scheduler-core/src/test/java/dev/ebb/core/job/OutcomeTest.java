package dev.ebb.core.job;

import dev.ebb.core.Broken;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class OutcomeTest {

  @Test
  void nobody_can_ask_to_wait_less_than_nothing() {
    Duration negative = Duration.ofNanos(-1);
    Failure failure = new Failure("http_429", "");
    Broken.refuses("retryAfter", () -> new Outcome.Throttled(failure, negative));
    Broken.refuses("delay", () -> new Outcome.NotReady(negative));
  }
}
