package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the queues stand.
 *
 * @param asOf when this was so, or up to when it is complete
 * @param complete false where the newest is left out, because no worker has summed it up
 * @param exactSince absent if some nodes may not count what they do
 * @param all all queues together
 * @param items each queue, by its name
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatsOverview(
    Instant asOf,
    boolean complete,
    @Nullable Instant exactSince,
    QueueStanding all,
    List<QueueStanding> items,
    @Nullable String nextCursor)
    implements Paged {}
