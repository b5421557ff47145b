package dev.ebb.ui.page;

import dev.ebb.api.problem.Refusal;
import dev.ebb.ui.words.Url;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How far back charts look, and in which steps: no chart has more than a few hundred of them. */
public enum Window {
  QUARTER("15m", "15 min", "15 minutes", Duration.ofMinutes(15), Duration.ofMinutes(1)),
  HOUR("1h", "1 h", "hour", Duration.ofHours(1), Duration.ofMinutes(1)),
  SIX_HOURS("6h", "6 h", "6 hours", Duration.ofHours(6), Duration.ofMinutes(1)),
  DAY("24h", "24 h", "24 hours", Duration.ofDays(1), Duration.ofHours(1)),
  WEEK("7d", "7 d", "7 days", Duration.ofDays(7), Duration.ofHours(1)),
  MONTH("30d", "30 d", "30 days", Duration.ofDays(30), Duration.ofDays(1));

  /** For a day at least. */
  static final Duration SURELY_KEPT = Duration.ofDays(1);

  private static final String NAME = "window";

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

  /** The window of a parameter; an hour without one. */
  public static Window of(@Nullable String word) {
    return word == null
        ? HOUR
        : Arrays.stream(values())
            .filter(one -> one.word.equals(word))
            .findFirst()
            .orElseThrow(() -> Refusal.parameter(NAME, "must be one of " + known()));
  }

  private static String known() {
    return Arrays.stream(values()).map(Window::word).collect(Collectors.joining(", "));
  }

  /** As an address has it. */
  public String word() {
    return word;
  }

  /** The same where it is to be left out if it is what an address without it means. */
  public @Nullable String parameter() {
    return this == HOUR ? null : word;
  }

  /** As a reader has it. */
  public String title() {
    return title;
  }

  /** As in: the last 15 minutes. */
  public String words() {
    return words;
  }

  public Duration step() {
    return step;
  }

  /** Whether it looks back further than jobs that ended are sure to be kept. */
  boolean isLong() {
    return length.compareTo(SURELY_KEPT) > 0;
  }

  /** Where the API has a queue's series up to now: the step that is forming is the last. */
  public String upToNow(String queue, Instant now) {
    return series(queue, now.minus(length).plus(step));
  }

  /** The same with one step more before it, for those who leave out the one that is forming. */
  public String before(String queue, Instant now) {
    return series(queue, now.minus(length));
  }

  private String series(String queue, Instant from) {
    String path = "/v1/queues/" + Url.segment(queue) + "/stats";
    String begins = from.truncatedTo(ChronoUnit.SECONDS).toString();
    return Url.of(path, "step", stepWord(), "from", begins);
  }

  private String stepWord() {
    return step.toDays() > 0 ? "1d" : step.toHours() > 0 ? "1h" : "1m";
  }
}
