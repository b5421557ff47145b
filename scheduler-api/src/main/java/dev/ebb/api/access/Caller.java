package dev.ebb.api.access;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name its token's
 * @param id its token's; {@code null} if that has no row
 * @param expiresAt when its token does; {@code null} for never
 * @param queues from which its token may take jobs; {@code null} for all
 */
public record Caller(
    String name,
    @Nullable String id,
    Set<Scope> scopes,
    @Nullable Instant expiresAt,
    @Nullable List<String> queues) {
  private static final String ATTRIBUTE = Caller.class.getName();

  /** Everybody, where no token is asked for. */
  static final Caller ANYBODY = new Caller("anybody", null, EnumSet.allOf(Scope.class), null, null);

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /** The caller of a request that has passed the rules. */
  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("the route is open to all, so nobody knows who asks");
  }

  /** What it does by this request, for the reason given. */
  public Act act(HttpServletRequest request, @Nullable String reason) {
    return new Act(name, id, request.getRemoteAddr(), reason);
  }

  /** The same, for the reason that the body's field {@code reason} may give. */
  public Act act(HttpServletRequest request, JsonObject body) {
    String reason = body.optional("reason", JsonValue::string);
    return body.build(() -> act(request, reason));
  }

  void standBy(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Whether it may take jobs from the queue. */
  public boolean mayTakeFrom(String queue) {
    return queues == null || queues.contains(queue);
  }

  /** Tells it apart from every other caller. */
  public String key() {
    return id == null ? name : id;
  }

  /** Refuses a caller that lacks the scope. */
  public void require(Scope scope) {
    if (!may(scope)) {
      throw Refusal.lacksScope(scope.word());
    }
  }

  /**
   * Refuses labels that jobs are to take from their payloads and do not take yet, unless the caller
   * may read payloads: labels are shown to all.
   *
   * @param before by label, as it is while nobody else can change it
   */
  public void requireForLabels(Map<String, String> before, Map<String, String> after) {
    if (!before.entrySet().containsAll(after.entrySet())) {
      require(Scope.PAYLOAD_READ);
    }
  }

  /** Whether it has the scope. */
  public boolean may(Scope scope) {
    return scopes.contains(scope);
  }
}
