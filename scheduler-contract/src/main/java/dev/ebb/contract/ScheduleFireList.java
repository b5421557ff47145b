package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of fires of a schedule, newest first.
 *
 * @param items the fires of the page
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScheduleFireList(List<ScheduleFire> items, @Nullable String nextCursor)
    implements Paged {}
