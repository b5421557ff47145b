package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of destinations.
 *
 * @param items the destinations of the page
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DestinationList(List<Destination> items, @Nullable String nextCursor)
    implements Paged {}
