package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to deliver to a destination, whatever job it was of.
 *
 * @param job the id of the job
 * @param number of the job's attempts
 * @param node the node that ran it
 * @param startedAt when it began
 * @param endedAt when it ended
 * @param outcome completed, failed, throttled, fatal, cancelled or given_back; others may come
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
  /** {@return how long it took} */
  public Duration length() {
    return Duration.between(startedAt, endedAt);
  }
}
