package dev.ebb.core;

import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.ListBackoff;
import dev.ebb.core.retry.SlotBackoff;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Values that several tests start from. */
public final class Samples {
  public static final Growth GROWTH = new Growth(Duration.ofSeconds(10), 2, Duration.ofHours(6));

  /** One of each kind of backoff. */
  public static final List<Backoff> BACKOFFS =
      List.of(
          new Backoff.Full(Duration.ofSeconds(3), GROWTH),
          new Backoff.Equal(GROWTH),
          new Backoff.Decorrelated(Duration.ofSeconds(10), Duration.ofHours(6)),
          new Backoff.Additive(Duration.ofSeconds(7), GROWTH),
          new Backoff.None(GROWTH),
          new SlotBackoff(Duration.ofSeconds(2)),
          new ListBackoff(durations("PT15S", "PT3M", "PT1H", "PT10M"), 0.2));

  private Samples() {}

  public static List<Duration> durations(String... texts) {
    return Arrays.stream(texts).map(Duration::parse).toList();
  }
}
