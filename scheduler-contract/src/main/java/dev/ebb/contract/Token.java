package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token.
 *
 * @param id its id, which stands in the token's text, too
 * @param name its name
 * @param role where its scopes are those of one
 * @param scopes what it may do
 * @param queues from which it may take jobs; absent for all
 * @param createdBy the name of the token that made it, or {@code ./ebb}
 * @param createdById the id of the token that made it; absent if that has none
 * @param createdAt when it was made
 * @param expiresAt when it ends; {@code null} for never
 * @param lastUsedAt when it was last used, to the minute; {@code null} for never
 * @param revokedAt when it was revoked; {@code null} if it was not
 * @param token the text itself, in the answer to its creation alone
 * @param alsoRevoked in the answer to its revocation alone: how many tokens ended with it, which it
 *     made, or they made
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Token(
    String id,
    String name,
    @Nullable String role,
    List<String> scopes,
    @Nullable List<String> queues,
    String createdBy,
    @Nullable String createdById,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt,
    @Nullable Instant revokedAt,
    @Nullable String token,
    @Nullable Integer alsoRevoked) {

  /**
   * Whether it is live, expired or revoked.
   *
   * @param now the time
   * @return one of these words
   */
  public String state(Instant now) {
    if (revokedAt != null) {
      return "revoked";
    }
    return expiresAt != null && !expiresAt.isAfter(now) ? "expired" : "live";
  }
}
