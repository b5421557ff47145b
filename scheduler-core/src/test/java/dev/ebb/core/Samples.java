package dev.ebb.core;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Values that several tests start from. */
final class Samples {
  static final Growth GROWTH = new Growth(Duration.ofSeconds(10), 2, Duration.ofHours(6));

  /** One of each kind of backoff. */
  static final List<Backoff> BACKOFFS =
      List.of(
          new Backoff.Full(Duration.ofSeconds(3), GROWTH),
          new Backoff.Equal(GROWTH),
          new Backoff.Decorrelated(Duration.ofSeconds(10), Duration.ofHours(6)),
          new Backoff.Additive(Duration.ofSeconds(7), GROWTH),
          new Backoff.None(GROWTH),
          new SlotBackoff(Duration.ofSeconds(2)),
          new ListBackoff(durations("PT15S", "PT3M", "PT1H", "PT10M"), 0.2));

  private Samples() {}

  static List<Duration> durations(String... texts) {
    return Arrays.stream(texts).map(Duration::parse).toList();
  }
}
