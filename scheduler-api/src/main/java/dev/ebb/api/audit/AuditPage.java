package dev.ebb.api.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Paged;
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
public record AuditPage(List<Item> items, @Nullable UUID nextCursor) implements Paged {
  public static final int DEFAULT_LIMIT = 50;
  public static final int MAX_LIMIT = 200;

  /** A field that was changed; of one that is not shown, such as a payload, only its name. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Change(String field, @Nullable String from, @Nullable String to) {
    static Change of(dev.ebb.db.audit.Change change) {
      return new Change(change.field(), change.before(), change.after());
    }
  }

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
      long affected,
      @Nullable List<Change> changes) {

    static Item of(AuditEntry entry, boolean withOrigin) {
      return new Item(
          entry.id(),
          entry.at(),
          entry.act().actor(),
          withOrigin ? entry.act().tokenId() : null,
          withOrigin ? entry.act().address() : null,
          entry.act().reason(),
          entry.action(),
          entry.subject(),
          entry.affected(),
          entry.changes().isEmpty() ? null : entry.changes().stream().map(Change::of).toList());
    }
  }

  /**
   * The page.
   *
   * @param withOrigin whether to show the tokens and addresses by which things were done
   */
  public static AuditPage of(AuditReads.Page page, boolean withOrigin) {
    return new AuditPage(
        page.entries().stream().map(entry -> Item.of(entry, withOrigin)).toList(), page.next());
  }
}
