package dev.ebb.core.circuit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a destination has failed, and what was done about it.
 *
 * @param since when its circuit opened
 * @param openings how often it opened since then
 * @param goodProbes how many probes succeeded since it opened last
 * @param disabledSince {@code null} unless it failed for too long, or said that it is gone
 * @param noticed how many of the lengths after which people are told have passed
 */
public record Outage(
    Instant since, int openings, int goodProbes, @Nullable Instant disabledSince, int noticed) {
  /** People are told after so long. */
  private static final List<Duration> NOTICES =
      List.of(Duration.ofHours(1), Duration.ofHours(24), Duration.ofHours(72));

  static Outage began(Instant now) {
    return new Outage(now, 0, 0, null, 0);
  }

  Outage opened(Instant now) {
    return new Outage(since, openings + 1, 0, disabledSince, passed(now));
  }

  /** The same after a probe that says nothing of the destination. */
  Outage goesOn(Instant now) {
    return new Outage(since, openings, goodProbes, disabledSince, passed(now));
  }

  private int passed(Instant now) {
    return (int) NOTICES.stream().filter(length -> !since.plus(length).isAfter(now)).count();
  }

  Outage plusGood() {
    return new Outage(since, openings, goodProbes + 1, disabledSince, noticed);
  }

  Outage disabled(Instant now) {
    return new Outage(since, openings, 0, disabledSince == null ? now : disabledSince, noticed);
  }
}
