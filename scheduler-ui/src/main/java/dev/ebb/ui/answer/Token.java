package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token, without its secret.
 *
 * @param role where its scopes are those of one
 */
public record Token(
    String id,
    String name,
    @Nullable String role,
    List<String> scopes,
    String createdBy,
    @Nullable String createdById,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt,
    @Nullable Instant revokedAt) {

  /** Whether it is live, expired or revoked. */
  public String state(Instant now) {
    if (revokedAt != null) {
      return "revoked";
    }
    return expiresAt != null && !expiresAt.isAfter(now) ? "expired" : "live";
  }
}
