package dev.ebb.ui.page;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far back a queue's charts look, and in which steps. */
public enum QueueWindow {
  HOUR("1h", "1 h", Duration.ofMinutes(59), "1m"),
  DAY("24h", "24 h", Duration.ofHours(23), "1h"),
  WEEK("7d", "7 d", Duration.ofHours(7 * 24 - 1), "1h"),
  MONTH("30d", "30 d", Duration.ofDays(29), "1d");

  private final String word;
  private final String title;
  private final Duration back;
  private final String step;

  QueueWindow(String word, String title, Duration back, String step) {
    this.word = word;
    this.title = title;
    this.back = back;
    this.step = step;
  }

  /** As an address has it. */
  public String word() {
    return word;
  }

  /** As a reader has it. */
  public String title() {
    return title;
  }

  String step() {
    return step;
  }

  /** In the first step: the last one is that of now. */
  Instant from(Instant now) {
    return now.minus(back).truncatedTo(ChronoUnit.SECONDS);
  }

  /** That of an address; an hour without one. */
  static Optional<QueueWindow> of(@Nullable String word) {
    return word == null
        ? Optional.of(HOUR)
        : Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }
}
