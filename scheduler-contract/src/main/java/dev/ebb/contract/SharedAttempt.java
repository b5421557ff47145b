package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a link shows of an attempt.
 *
 * @param number the number of the attempt, from 1
 * @param startedAt when it began
 * @param endedAt when it ended; {@code null} while it runs
 * @param outcome absent while it runs
 * @param status of HTTP; absent without a response
 * @param reason why it failed, as a word
 * @param response the beginning of what the receiver answered; absent where it repeats what was
 *     sent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SharedAttempt(
    int number,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    @Nullable Integer status,
    @Nullable String reason,
    @Nullable String response) {

  /** {@return how it ended, or that it runs} */
  public String word() {
    return outcome == null ? "running" : outcome;
  }
}
