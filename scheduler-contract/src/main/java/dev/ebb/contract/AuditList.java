package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit, newest first; it may be short, even empty, before the end.
 *
 * @param items the entries of the page
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditList(List<AuditEntry> items, @Nullable String nextCursor) implements Paged {}
