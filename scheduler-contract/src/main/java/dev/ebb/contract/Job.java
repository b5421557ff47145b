package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job.
 *
 * @param id its id
 * @param kind what its handler is known by
 * @param queue where it waits
 * @param priority 0, which goes first, to 9
 * @param state as it is stored
 * @param phase as people say it: the state; but an available job that waits for another of its
 *     ordering key is blocked, one that has a hold is held, and one whose run at lies in the future
 *     by the node's clock is scheduled or retrying
 * @param attempt how often it was started, the running attempt included
 * @param maxAttempts how often it is tried at most
 * @param runAt the earliest start of its next attempt, without its hold
 * @param createdAt when it was submitted
 * @param startedAt when its last attempt began; {@code null} before the first
 * @param endedAt when it ended; {@code null} before
 * @param node the node that runs it, or ran it last; {@code null} before its first attempt
 * @param lastError why its last attempt failed; {@code null} if none did
 * @param deadReason why it is a dead letter; {@code null} if it is none
 * @param cancelRequested whether somebody asked its attempt to stop
 * @param payload its JSON text, to the byte as it was submitted but for the secrets of a delivery
 * @param policy how it is retried, if it has a policy of its own
 * @param uniqueKey what no other job of its kind that has not ended may have; {@code null} for none
 * @param orderingKey jobs of the queue with the same one run one at a time; {@code null} for none
 * @param skipped present and true where people had others of its ordering key pass it; absent in
 *     lists, and once it has ended
 * @param timeout how long an attempt may take; {@code null} for the default
 * @param labels words of the submitter by name
 * @param destination the host to which its delivery goes, with its port unless that is the scheme's
 *     own; {@code null} for other kinds
 * @param subject what it is about: the value of the label that {@link Settings} choose or, without
 *     one, the destination; {@code null} also in the answer to a submit
 * @param progress what its handler recorded, as JSON text
 * @param result what the attempt that completed it kept, by name: what the rules of a delivery say
 *     of the response, or what its worker told; {@code null} for nothing, in lists, and without the
 *     right to read payloads
 * @param hold what keeps it from running; {@code null} for nothing
 * @param then what follows when it ends, without payloads; {@code null} for nothing, and in lists
 * @param follows the id of the job that it follows; {@code null} for none, and in lists
 * @param deduplicated present and true where a submit found this job holding its unique key
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Job(
    String id,
    String kind,
    String queue,
    int priority,
    String state,
    String phase,
    int attempt,
    int maxAttempts,
    Instant runAt,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String node,
    @Nullable Failure lastError,
    @Nullable String deadReason,
    boolean cancelRequested,
    @JsonRawValue @Nullable String payload,
    @Nullable Policy policy,
    @Nullable String uniqueKey,
    @Nullable String orderingKey,
    @Nullable Boolean skipped,
    @Nullable Duration timeout,
    Map<String, String> labels,
    @Nullable String destination,
    @Nullable String subject,
    @JsonRawValue @Nullable String progress,
    @Nullable Map<String, String> result,
    @Nullable Hold hold,
    @Nullable FollowUps then,
    @Nullable String follows,
    @Nullable Boolean deduplicated) {

  /** {@return whether it neither runs nor has ended} */
  @JsonIgnore
  public boolean isAvailable() {
    return state.equals("available");
  }

  /** {@return whether it will change no more by itself} */
  public boolean hasEnded() {
    return endedAt != null;
  }
}
