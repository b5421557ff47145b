package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody did.
 *
 * @param id its id
 * @param at when, to the millisecond
 * @param actor the name of the token, or of who ran a command
 * @param tokenId by which token; shown to those who may see payloads, as is the address
 * @param address the client's, or that of the last proxy before Ebb; {@code null} for a command
 * @param reason why, if they said it
 * @param action as in {@code job.cancel}
 * @param subject the id or name of what it was done to
 * @param affected how many
 * @param changes the fields that were changed, if the action has fields
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

  /** {@return from what to what, in words} */
  public List<String> words() {
    return AuditChange.words(changes);
  }
}
