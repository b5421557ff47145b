package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to deliver to a destination, whatever job it was of.
 *
 * @param number of the job's attempts
 * @param errorReason absent unless it failed
 * @param status of the response; absent for none
 * @param rule the one that decided; absent for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DestinationAttempt(
    String job,
    int number,
    String node,
    Instant startedAt,
    Instant endedAt,
    String outcome,
    @Nullable String errorReason,
    @Nullable Integer status,
    @Nullable String rule) {
  /** How long it took. */
  public Duration length() {
    return Duration.between(startedAt, endedAt);
  }
}
