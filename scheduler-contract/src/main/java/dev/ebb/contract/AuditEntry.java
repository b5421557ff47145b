package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody did.
 *
 * @param tokenId by which token; shown to those who may see payloads, as is the address
 * @param action as in {@code job.cancel}
 * @param subject the id or name of what it was done to
 * @param affected how many
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditEntry(
    String id,
    Instant at,
    String actor,
    @Nullable String tokenId,
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
