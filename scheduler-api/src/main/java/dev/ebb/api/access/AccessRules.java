package dev.ebb.api.access;

import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Scope;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Refuses, before any route sees it, a request whose caller lacks what the route needs, and where
 * the node is read-only every change. The files of a mount are open to all.
 */
public final class AccessRules implements HandlerInterceptor {
  private static final Set<String> READING = Set.of("GET", "HEAD");

  private final Callers callers;
  private final Predicate<HttpServletRequest> isPrivate;

  /**
   * @param isPrivate whether a request came by the port for probes and metrics, which asks for no
   *     token
   */
  public AccessRules(Callers callers, Predicate<HttpServletRequest> isPrivate) {
    this.callers = callers;
    this.isPrivate = isPrivate;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws SQLException {
    if (handler instanceof HandlerMethod route) {
      if (!route.hasMethodAnnotation(Open.class) && !isPrivate.test(request)) {
        require(needs(route), request, response);
      }
    } else if (!(handler instanceof ResourceHttpRequestHandler)) {
      throw new IllegalStateException(handler + " is neither a method nor files");
    }
    return true;
  }

  /**
   * Refuses a request for what is not served, as one for what is, unless its caller has a token.
   */
  public void requireToken(HttpServletRequest request) throws SQLException {
    if (!isPrivate.test(request)) {
      var _ = callers.of(request);
    }
  }

  /** A route that says nothing is served to nobody. */
  private static Scope[] needs(HandlerMethod route) {
    Needs needs = route.getMethodAnnotation(Needs.class);
    if (needs == null) {
      throw new IllegalStateException(route + " says neither what it needs nor that it is open");
    }
    return needs.value();
  }

  private void require(Scope[] needed, HttpServletRequest request, HttpServletResponse response)
      throws SQLException {
    Caller caller = callers.of(request);
    callers.charge(caller, request, response);
    if (callers.isReadOnly() && isChange(needed, request)) {
      throw Refusal.readOnly();
    }
    require(needed, caller);
    caller.standBy(request);
  }

  private static void require(Scope[] needed, Caller caller) {
    for (Scope scope : needed) {
      caller.require(scope);
    }
  }

  /** Refuses a caller who lacks what the route needs. */
  public static void require(HandlerMethod route, Caller caller) {
    require(needs(route), caller);
  }

  /** What needs only scopes that read, or none, changes nothing, whatever its method. */
  private static boolean isChange(Scope[] needed, HttpServletRequest request) {
    return !READING.contains(request.getMethod())
        && !Arrays.stream(needed).allMatch(Scope::isReading);
  }
}
