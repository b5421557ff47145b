package dev.ebb.api.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.problem.Refusal;
import dev.ebb.db.audit.AuditEntry;
import dev.ebb.db.audit.AuditReads;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit as answers show it, newest first; it may be short, even empty, before the
 * end.
 *
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditPage(List<Item> items, @Nullable UUID nextCursor) {
  public static final int DEFAULT_LIMIT = 50;
  public static final int MAX_LIMIT = 200;

  /** An entry; what does not apply is left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(
      UUID id,
      Instant at,
      String actor,
      @Nullable String tokenId,
      @Nullable String address,
      @Nullable String reason,
      String action,
      String subject,
      long affected) {

    static Item of(AuditEntry entry) {
      return new Item(
          entry.id(),
          entry.at(),
          entry.act().actor(),
          entry.act().tokenId(),
          entry.act().address(),
          entry.act().reason(),
          entry.action(),
          entry.subject(),
          entry.affected());
    }
  }

  public static AuditPage of(AuditReads.Page page) {
    return new AuditPage(page.entries().stream().map(Item::of).toList(), page.next());
  }

  /** The id that a cursor is: that of the last entry that was looked at. */
  public static @Nullable UUID position(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    if (!cursor.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
      throw Refusal.unknownCursor();
    }
    return UUID.fromString(cursor);
  }
}
