package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done to many jobs; what does not apply is absent.
 *
 * @param id its id
 * @param action what is done to each job
 * @param state how far it is
 * @param stateReason why it is paused or cancelled, or for what it waits
 * @param query the filter in the language of {@code q}; absent where ids name the jobs, or where it
 *     looks into payloads that the caller may not see
 * @param idCount how many jobs were named
 * @param runAt a new start of the jobs, of an action that sets one
 * @param until the end of a hold, of an action that sets one
 * @param warmUp whether the queue begins cold
 * @param resetAttempts of a retry or a redrive alone
 * @param priority a new priority, of an action that sets one
 * @param ratePerSecond absent for as fast as it goes
 * @param stages after how many jobs it waits for their next attempts
 * @param stopOnFailureRatio from which share of failures it pauses by itself
 * @param pauseAfterStages after how many of the first stages it pauses; absent for none
 * @param stage from 1; the one behind the stages is the rest
 * @param maxJobs how many of those that match it touches at most; absent for all
 * @param matched how many jobs matched when it started
 * @param matchedExact whether that is no estimate
 * @param done how many were acted on
 * @param skipped how many were left as they are
 * @param succeeded of how many the next attempt succeeded
 * @param failed of how many it failed
 * @param startedBy who asked for it
 * @param reason why, if they said it
 * @param createdAt when they asked for it
 * @param endedAt when it ended; {@code null} before
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Operation(
    String id,
    String action,
    String state,
    @Nullable String stateReason,
    @Nullable String query,
    @Nullable Integer idCount,
    @Nullable Instant runAt,
    @Nullable Instant until,
    @Nullable Boolean warmUp,
    @Nullable Boolean resetAttempts,
    @Nullable Integer priority,
    @Nullable Double ratePerSecond,
    @Nullable List<Integer> stages,
    @Nullable Double stopOnFailureRatio,
    @Nullable Integer pauseAfterStages,
    @Nullable Integer stage,
    @Nullable Integer maxJobs,
    long matched,
    boolean matchedExact,
    long done,
    long skipped,
    @Nullable Long succeeded,
    @Nullable Long failed,
    String startedBy,
    @Nullable String reason,
    Instant createdAt,
    @Nullable Instant endedAt) {

  /** {@return whether it goes on by itself} */
  @JsonIgnore
  public boolean isRunning() {
    return state.equals("running");
  }

  /** {@return whether it goes on once somebody says so} */
  @JsonIgnore
  public boolean isPaused() {
    return state.equals("paused");
  }

  /** {@return how many jobs it is still to come upon, as far as is known} */
  public long left() {
    return isRunning() || isPaused() ? Math.max(0, matched - done - skipped) : 0;
  }

  /**
   * How many jobs it came upon in a second so far; zero before the first second is over.
   *
   * @param now the time
   * @return jobs in a second
   */
  public double pace(Instant now) {
    Instant end = endedAt == null ? now : endedAt;
    double seconds = Duration.between(createdAt, end).toMillis() / 1e3;
    return seconds < 1 ? 0 : (done + skipped) / seconds;
  }

  /**
   * How long it still takes at its rate, or without one as fast as it went so far; {@code null}
   * while it does not run, or nothing tells.
   *
   * @param now the time
   * @return how long it goes on
   */
  public @Nullable Duration timeLeft(Instant now) {
    double perSecond = ratePerSecond == null ? pace(now) : ratePerSecond;
    return isRunning() && perSecond > 0
        ? Duration.ofMillis((long) (1e3 * left() / perSecond))
        : null;
  }
}
