package dev.ebb.api.access;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Token;
import dev.ebb.contract.TokenList;
import dev.ebb.core.access.Role;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Revocation;
import dev.ebb.db.access.TokenView;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows tokens. */
final class TokenResource {
  private TokenResource() {}

  static TokenList page(List<TokenView> tokens, int limit) {
    return new TokenList(
        tokens.stream().map(token -> of(token, null, null)).toList(),
        tokens.size() == limit ? tokens.getLast().id() : null);
  }

  static Token created(NewSecret secret) {
    return of(secret.token(), secret.text(), null);
  }

  static Token revoked(Revocation revocation) {
    return of(revocation.token(), null, revocation.others());
  }

  private static Token of(TokenView token, @Nullable String text, @Nullable Integer alsoRevoked) {
    return new Token(
        token.id(),
        token.name(),
        role(token.scopes()),
        Scope.words(token.scopes()),
        token.queues(),
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
