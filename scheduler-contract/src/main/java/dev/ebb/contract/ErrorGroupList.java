package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of groups or rows of them, the largest first.
 *
 * @param items the groups of the page
 * @param nextCursor of the next page; absent at the end
 * @param total how many there are on all pages
 * @param ungrouped how many dead letters have no group yet, counted up to 1,000
 * @param estimated whether the order is by estimates
 * @param rowBy what the groups of the row that was asked for have in common, as {@code by} names
 *     it; absent where none was
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorGroupList(
    List<ErrorGroup> items,
    @Nullable String nextCursor,
    long total,
    long ungrouped,
    boolean estimated,
    @Nullable String rowBy)
    implements Paged {}
