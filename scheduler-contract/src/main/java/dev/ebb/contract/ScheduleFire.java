package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a fire of a schedule; what does not apply is absent.
 *
 * @param fireAt the time by the schedule; of a run that a person asked for, when that was
 * @param firedAt when it was served
 * @param result what became of it
 * @param byHand whether a person asked for it
 * @param missed how many other late fires it stands for
 * @param jobId the id of the job that it made, or that has its unique key; {@code null} for none
 * @param job the path of its job
 * @param jobState of that job when it was read; absent where there is none, or it is gone
 * @param node the node that served it
 * @param error why no job was stored; {@code null} if one was
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScheduleFire(
    Instant fireAt,
    Instant firedAt,
    String result,
    boolean byHand,
    long missed,
    @Nullable String jobId,
    @Nullable String job,
    @Nullable String jobState,
    @Nullable String node,
    @Nullable String error) {

  /**
   * {@return the one word for how it ended or stands: its job's state, or why it has no job of its
   * own}
   */
  public String outcome() {
    return result.equals("submitted") ? Objects.requireNonNullElse(jobState, "gone") : result;
  }

  /** {@return how late it was served} */
  public Duration late() {
    Duration late = Duration.between(fireAt, firedAt);
    return late.isNegative() ? Duration.ZERO : late;
  }
}
