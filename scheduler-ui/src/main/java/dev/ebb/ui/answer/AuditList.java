package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of what people did, newest first. */
public record AuditList(List<Entry> items, @Nullable String nextCursor) {

  /** What somebody did. */
  public record Entry(
      String id,
      Instant at,
      String actor,
      String action,
      @Nullable String reason,
      @Nullable String address,
      @Nullable List<AuditChange> changes) {
    /** From what to what, in words. */
    public List<String> words() {
      return AuditChange.words(changes);
    }
  }
}
