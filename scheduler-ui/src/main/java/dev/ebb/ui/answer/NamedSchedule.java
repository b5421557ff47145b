package dev.ebb.ui.answer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schedule, which makes jobs by the clock.
 *
 * @param cron {@code null} for an interval
 * @param every {@code null} for a cron expression
 * @param words what that means
 * @param origin from when its interval counts; {@code null} for a cron expression
 * @param nextFireAt {@code null} while it is paused, and once it fires no more
 * @param fires the last ones, in a list; {@code null} elsewhere
 */
public record NamedSchedule(
    String name,
    @Nullable String cron,
    @Nullable Duration every,
    String words,
    @Nullable Instant origin,
    String timeZone,
    @Nullable Instant startAt,
    @Nullable Instant endAt,
    @Nullable Exclusions exclude,
    Template job,
    String misfire,
    int mostMisfires,
    String overlap,
    boolean paused,
    @Nullable Pause pause,
    @Nullable Instant nextFireAt,
    @Nullable ScheduleFire lastFire,
    int waitingFires,
    Instant createdAt,
    Instant changedAt,
    @Nullable List<ScheduleFire> fires) {

  /** Days on which it does not fire. */
  public record Exclusions(
      @Nullable List<String> weekdays,
      @Nullable List<String> dates,
      @Nullable List<String> yearly) {
    /** No days. */
    public static final Exclusions NONE = new Exclusions(null, null, null);

    public List<String> onWeekdays() {
      return Objects.requireNonNullElse(weekdays, List.of());
    }

    public List<String> onDates() {
      return Objects.requireNonNullElse(dates, List.of());
    }

    public List<String> everyYear() {
      return Objects.requireNonNullElse(yearly, List.of());
    }
  }

  /** The job that each fire makes. */
  public record Template(
      String kind,
      String queue,
      @Nullable Exact payload,
      int priority,
      @Nullable Integer maxAttempts,
      @Nullable JsonNode policy,
      @Nullable String uniqueKey,
      @Nullable Duration timeout,
      Map<String, String> labels) {}

  /** Since when, by whom and why it is paused. */
  public record Pause(Instant since, String by, @Nullable String reason) {}

  /** The days on which it does not fire. */
  public Exclusions excluded() {
    return Objects.requireNonNullElse(exclude, Exclusions.NONE);
  }

  /** What is written in the schedule: the expression, or the interval. */
  public String written() {
    return cron == null ? "every " + every : cron;
  }
}
