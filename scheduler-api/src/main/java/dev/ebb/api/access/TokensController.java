package dev.ebb.api.access;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.Me;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Revocation;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.start.StartWatch;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Makes, lists and revokes tokens, and tells a caller who it is. */
@Controller
@RequestMapping(produces = "application/json")
public final class TokensController {
  private static final int MAX_LIMIT = 200;
  private static final int MAX_SCOPES = 100;

  /** One more than a token may name. */
  private static final int MAX_QUEUES = 101;

  private final Bodies bodies;
  private final Tokens tokens;
  private final Callers callers;
  private final StartWatch start;

  TokensController(Bodies bodies, Tokens tokens, Callers callers, StartWatch start) {
    this.bodies = bodies;
    this.tokens = tokens;
    this.callers = callers;
    this.start = start;
  }

  @GetMapping("/v1/me")
  @Needs
  Answer me(Caller caller) {
    return Answer.ok(
        new Me(
            caller.name(),
            TokenResource.role(caller.scopes()),
            Scope.words(caller.scopes()),
            caller.queues(),
            Answer.shownOrNull(caller.expiresAt()),
            callers.isReadOnly(),
            start.isKnownToBePaused(),
            callers.masked()));
  }

  @GetMapping("/v1/tokens")
  @Needs(Scope.TOKENS_ADMIN)
  @QueryParameters({"cursor", "limit"})
  Answer list(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, MAX_LIMIT);
    String cursor = query.value("cursor");
    if (cursor != null && !cursor.matches("[0-9a-z]{8}")) {
      throw Refusal.unknownCursor();
    }
    return Answer.ok(TokenResource.page(tokens.list(cursor == null ? "" : cursor, limit), limit));
  }

  /** Makes a token, whose text is in this answer and nowhere else ever. */
  @PostMapping("/v1/tokens")
  @Needs(Scope.TOKENS_ADMIN)
  Answer create(HttpServletRequest request) throws SQLException {
    JsonObject body = bodies.object(request);
    body.allow("name", "role", "scopes", "queues", "lifetime", "reason");
    String name = body.required("name").string();
    Duration lifetime = body.optional("lifetime", JsonValue::duration);
    String role = body.optional("role", JsonValue::string);
    List<String> words = body.strings("scopes", MAX_SCOPES);
    Set<Scope> scopes = body.build(() -> scopes(role, words));
    List<String> queues = body.strings("queues", MAX_QUEUES);
    // A list that a program left empty by mistake must not become a right to all queues.
    boolean isBound = !queues.isEmpty() || (body.has("queues") && scopes.contains(Scope.JOBS_WORK));
    NewToken token =
        body.build(() -> new NewToken(name, scopes, lifetime, isBound ? queues : null));
    NewSecret made = create(body, token, request);
    callers.tokensChanged();
    return Answer.created("/v1/tokens/" + made.token().id(), TokenResource.created(made));
  }

  /** Nobody gives what it has not. */
  private NewSecret create(JsonObject body, NewToken token, HttpServletRequest request)
      throws SQLException {
    Caller by = Caller.of(request);
    for (Scope scope : token.scopes()) {
      by.require(scope);
    }
    if (by.queues() != null
        && (token.queues() == null || !by.queues().containsAll(token.queues()))) {
      throw body.refused(
          new InvalidInput("queues", "must be among those of the token that makes it"));
    }
    Act act = by.act(request, body);
    try {
      return tokens
          .create(token, act)
          .orElseThrow(() -> Refusal.deadToken("The token is revoked or expired."));
    } catch (InvalidInput taken) {
      throw body.refused(taken);
    }
  }

  private static Set<Scope> scopes(@Nullable String role, List<String> words) {
    InvalidInput.require(
        (role == null) != words.isEmpty(), "scopes", "must be given, or else a role");
    return role == null ? Scope.parse(words) : Role.parse(role).scopes();
  }

  /** Revokes a token, and those that it made; every node refuses them within five seconds. */
  @DeleteMapping("/v1/tokens/{id}")
  @Needs(Scope.TOKENS_ADMIN)
  Answer revoke(HttpServletRequest request, @PathVariable String id) throws SQLException {
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    Revocation revoked =
        tokens
            .revoke(id, act)
            .orElseThrow(() ->
                Refusal.of(ProblemCode.TOKEN_NOT_FOUND, "There is no live token of this id."));
    callers.tokensChanged();
    return Answer.ok(TokenResource.revoked(revoked));
  }
}
