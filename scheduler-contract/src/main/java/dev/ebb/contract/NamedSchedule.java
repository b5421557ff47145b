package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A schedule, which makes jobs by the clock; what does not apply is absent.
 *
 * @param words what its times mean
 * @param origin from when its interval counts
 * @param nextFireAt absent while it is paused, and once it fires no more
 * @param fires the last ones, in a list that was asked for them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NamedSchedule(
    String name,
    @Nullable String cron,
    @Nullable Duration every,
    String words,
    @Nullable Instant origin,
    String timeZone,
    @Nullable Instant startAt,
    @Nullable Instant endAt,
    @Nullable ScheduleExclusions exclude,
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

  /**
   * The job that each fire makes.
   *
   * @param payload its JSON text, as its reader may see it
   * @param then what follows it when it ends; absent for nothing
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Template(
      String kind,
      String queue,
      @JsonRawValue @Nullable String payload,
      int priority,
      @Nullable Integer maxAttempts,
      @Nullable Policy policy,
      @Nullable String uniqueKey,
      @Nullable String orderingKey,
      @Nullable Duration timeout,
      Map<String, String> labels,
      @Nullable ThenTemplate then) {}

  /** Since when, by whom and why it is paused. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Pause(Instant since, String by, @Nullable String reason) {}

  /** The days on which it does not fire. */
  public ScheduleExclusions excluded() {
    return Objects.requireNonNullElse(exclude, ScheduleExclusions.NONE);
  }

  /** What is written in the schedule: the expression, or the interval. */
  public String written() {
    return cron == null ? "every " + every : cron;
  }
}
