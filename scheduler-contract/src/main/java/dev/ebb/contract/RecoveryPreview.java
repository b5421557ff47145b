package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a recovery would redrive.
 *
 * @param matched how many jobs it would redrive
 * @param exact whether {@code matched} is no estimate
 * @param maxJobs how many of them it would touch at most; absent for all
 * @param failures what they died of, the most frequent first; of those that were counted one by one
 * @param takesAtLeast how long their starts take at its rate and through the destination's warm-up,
 *     without the waits between its stages; absent where neither limits it
 * @param sample up to ten of them, without payloads
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecoveryPreview(
    long matched,
    boolean exact,
    @Nullable Integer maxJobs,
    List<RecoveryFailure> failures,
    @Nullable Duration takesAtLeast,
    List<Job> sample) {}
