package dev.ebb.api.audit;

import dev.ebb.contract.AuditChange;
import dev.ebb.contract.AuditList;
import dev.ebb.db.audit.AuditEntry;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.audit.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows pages of the audit. */
public final class AuditPage {
  public static final int DEFAULT_LIMIT = 50;
  public static final int MAX_LIMIT = 200;

  private AuditPage() {}

  /**
   * The page.
   *
   * @param withOrigin whether to show the tokens and addresses by which things were done
   */
  public static AuditList of(AuditReads.Page page, boolean withOrigin) {
    return new AuditList(
        page.entries().stream().map(entry -> entry(entry, withOrigin)).toList(),
        page.next() == null ? null : page.next().toString());
  }

  private static dev.ebb.contract.AuditEntry entry(AuditEntry entry, boolean withOrigin) {
    return new dev.ebb.contract.AuditEntry(
        entry.id().toString(),
        entry.at(),
        entry.act().actor(),
        withOrigin ? entry.act().tokenId() : null,
        withOrigin ? entry.act().address() : null,
        entry.act().reason(),
        entry.action(),
        entry.subject(),
        entry.affected(),
        changes(entry.changes()));
  }

  private static @Nullable List<AuditChange> changes(List<Change> changes) {
    return changes.isEmpty()
        ? null
        : changes.stream()
            .map(one -> new AuditChange(one.field(), one.before(), one.after()))
            .toList();
  }
}
