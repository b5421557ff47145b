package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a fire of a schedule; what does not apply is absent.
 *
 * @param missed how many other late fires it stands for
 * @param job the path of its job
 * @param jobState of that job when it was read; absent where there is none, or it is gone
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

  /** The one word for how it ended or stands: its job's state, or why it has no job of its own. */
  public String outcome() {
    return result.equals("submitted") ? Objects.requireNonNullElse(jobState, "gone") : result;
  }

  /** How late it was served. */
  public Duration late() {
    Duration late = Duration.between(fireAt, firedAt);
    return late.isNegative() ? Duration.ZERO : late;
  }
}
