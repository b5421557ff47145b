package dev.ebb.api.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Paged;
import dev.ebb.core.access.Role;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Revocation;
import dev.ebb.db.access.TokenView;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token as answers show it; what does not apply is left out.
 *
 * @param role where its scopes are those of one
 * @param createdById the id of the token that made it; absent if that has none
 * @param token the text itself, in the answer to its creation alone
 * @param alsoRevoked in the answer to its revocation alone: how many tokens ended with it, which it
 *     made, or they made
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TokenResource(
    String id,
    String name,
    @Nullable String role,
    List<String> scopes,
    String createdBy,
    @Nullable String createdById,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt,
    @Nullable Instant revokedAt,
    @Nullable String token,
    @Nullable Integer alsoRevoked) {

  /**
   * A page of tokens, in the order of their ids.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<TokenResource> items, @Nullable String nextCursor) implements Paged {}

  static Page page(List<TokenView> tokens, int limit) {
    return new Page(
        tokens.stream().map(token -> of(token, null, null)).toList(),
        tokens.size() == limit ? tokens.getLast().id() : null);
  }

  static TokenResource created(NewSecret secret) {
    return of(secret.token(), secret.text(), null);
  }

  static TokenResource revoked(Revocation revocation) {
    return of(revocation.token(), null, revocation.others());
  }

  private static TokenResource of(
      TokenView token, @Nullable String text, @Nullable Integer alsoRevoked) {
    return new TokenResource(
        token.id(),
        token.name(),
        role(token.scopes()),
        Scope.words(token.scopes()),
        token.createdBy(),
        token.createdById(),
        Answer.shown(token.createdAt()),
        Answer.shownOrNull(token.expiresAt()),
        Answer.shownOrNull(token.lastUsedAt()),
        Answer.shownOrNull(token.revokedAt()),
        text,
        alsoRevoked);
  }

  static @Nullable String role(Set<Scope> scopes) {
    return Role.of(scopes).map(Role::word).orElse(null);
  }
}
