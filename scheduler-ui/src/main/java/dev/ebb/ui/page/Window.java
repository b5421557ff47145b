package dev.ebb.ui.page;

import dev.ebb.ui.words.Url;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** How far back an overview looks. */
public enum Window {
  QUARTER("15m", "15 min", "15 minutes", Duration.ofMinutes(15), Duration.ofMinutes(1)),
  HOUR("1h", "1 h", "hour", Duration.ofHours(1), Duration.ofMinutes(1)),
  DAY("24h", "24 h", "24 hours", Duration.ofDays(1), Duration.ofHours(1));

  private final String word;
  private final String title;
  private final String words;
  private final Duration length;
  private final Duration step;

  Window(String word, String title, String words, Duration length, Duration step) {
    this.word = word;
    this.title = title;
    this.words = words;
    this.length = length;
    this.step = step;
  }

  /** The window of a parameter; an hour where it names none. */
  static Window of(@Nullable String word) {
    for (Window window : values()) {
      if (window.word.equals(word)) {
        return window;
      }
    }
    return HOUR;
  }

  public String word() {
    return word;
  }

  public String title() {
    return title;
  }

  /** As in: the last 15 minutes. */
  public String words() {
    return words;
  }

  Duration step() {
    return step;
  }

  /** Where the API has a queue's series of it. */
  String series(String queue, Instant now) {
    Instant to = now.truncatedTo(ChronoUnit.SECONDS);
    return Url.of(
        "/v1/queues/" + Url.segment(queue) + "/stats",
        "step",
        this == DAY ? "1h" : "1m",
        "from",
        to.minus(length).toString(),
        "to",
        to.toString());
  }
}
