package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of operations, newest first.
 *
 * @param items the operations of the page
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OperationList(List<Operation> items, @Nullable String nextCursor) implements Paged {}
