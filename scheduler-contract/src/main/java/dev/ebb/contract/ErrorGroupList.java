package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of groups, last seen first.
 *
 * @param nextCursor of the next page; absent at the end
 * @param ungrouped how many dead letters have no group yet, counted up to 1,000
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorGroupList(List<ErrorGroup> items, @Nullable String nextCursor, long ungrouped)
    implements Paged {}
