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
 * @param name its name
 * @param cron the expression; {@code null} of an interval
 * @param every the interval; {@code null} of an expression
 * @param words what its times mean
 * @param origin from when its interval counts
 * @param timeZone by whose clocks it fires
 * @param startAt before which it does not fire; {@code null} for none
 * @param endAt after which it does not fire; {@code null} for none
 * @param exclude the days on which it does not fire; {@code null} for none
 * @param job what each fire makes
 * @param misfire what becomes of fires that are late
 * @param mostMisfires how many late fires are made up for at most
 * @param overlap what becomes of a fire while the last job has not ended
 * @param paused whether nothing of it starts
 * @param pause since when and why it is paused; {@code null} if it is not
 * @param nextFireAt absent while it is paused, and once it fires no more
 * @param lastFire what became of its last fire; {@code null} before the first
 * @param waitingFires how many wait for the last job to end
 * @param createdAt when it was made
 * @param changedAt when people last changed it
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
   * @param kind the kind
   * @param queue the queue
   * @param payload its JSON text, as its reader may see it
   * @param priority 0, which goes first, to 9
   * @param maxAttempts how often it is tried at most; {@code null} for the default
   * @param policy how it is retried; {@code null} for its queue's way
   * @param uniqueKey what no other job of its kind that has not ended may have; {@code null} for
   *     none
   * @param orderingKey jobs of the queue with the same one run one at a time; {@code null} for none
   * @param timeout how long an attempt may take; {@code null} for the default
   * @param labels words of the submitter by name
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

  /**
   * Since when, by whom and why it is paused.
   *
   * @param since since when
   * @param by who paused it
   * @param reason why, if they said it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Pause(Instant since, String by, @Nullable String reason) {}

  /** {@return the days on which it does not fire} */
  public ScheduleExclusions excluded() {
    return Objects.requireNonNullElse(exclude, ScheduleExclusions.NONE);
  }

  /** {@return what is written in the schedule: the expression, or the interval} */
  public String written() {
    return cron == null ? "every " + every : cron;
  }
}
