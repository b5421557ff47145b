package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a link shows of a job: nothing of its payload, its queue or the cluster.
 *
 * @param notification the {@code webhook-id} of its deliveries
 * @param phase as of jobs: completed, retrying, dead_letter, …
 * @param submittedAt when it was submitted
 * @param endedAt when it ended; {@code null} before
 * @param nextTryAt the earliest; absent where none is planned
 * @param deadReason why it was given up; absent where it was not
 * @param erasedAt when what was sent and received was erased; absent for never
 * @param attempts the newest, oldest first
 * @param earlierAttempts whether there are more before them
 * @param goneBefore attempts that ended before are no longer kept; absent where the job is younger
 * @param asOf when this was so, by the database's clock
 * @param linkExpiresAt when the link ends
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SharedJob(
    String notification,
    String phase,
    Instant submittedAt,
    @Nullable Instant endedAt,
    @Nullable Instant nextTryAt,
    @Nullable String deadReason,
    @Nullable Instant erasedAt,
    List<SharedAttempt> attempts,
    boolean earlierAttempts,
    @Nullable Instant goneBefore,
    Instant asOf,
    Instant linkExpiresAt) {
  /** Keeps a copy of its list. */
  public SharedJob {
    attempts = List.copyOf(attempts);
  }
}
