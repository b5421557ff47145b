package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the attempts of a job, oldest first.
 *
 * @param items the entries, in that order
 * @param nextCursor of the next page; absent at the end
 * @param goneBefore attempts that ended before are no longer kept, but for one that completed or
 *     cancelled the job; absent where the job is younger
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptList(
    List<Attempt> items, @Nullable String nextCursor, @Nullable Instant goneBefore)
    implements Paged {}
