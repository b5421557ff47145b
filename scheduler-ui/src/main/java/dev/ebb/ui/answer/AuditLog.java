package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of what people did to anything, newest first. It may be short before the end. */
public record AuditLog(List<Entry> items, @Nullable String nextCursor) {

  /**
   * What somebody did.
   *
   * @param action as in {@code job.cancel}
   * @param subject the id or name of what it was done to
   * @param affected how many
   */
  public record Entry(
      String id,
      Instant at,
      String actor,
      @Nullable String address,
      @Nullable String reason,
      String action,
      String subject,
      long affected,
      @Nullable List<AuditChange> changes) {
    /** From what to what, in words. */
    public List<String> words() {
      return AuditChange.words(changes);
    }
  }
}
