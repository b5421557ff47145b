package dev.ebb.api.server;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.apache.catalina.connector.Connector;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/** Answers probes and metrics on the port that is theirs, and nothing else there. */
public final class HealthRoutes implements HandlerInterceptor {
  private static final Set<Object> HEALTH = Set.of("/livez", "/startupz", "/readyz", "/metrics");

  private final Connector health;

  public HealthRoutes(Connector health) {
    this.health = health;
  }

  /** Whether the request came by that port. */
  public boolean isThere(HttpServletRequest request) {
    return request.getLocalPort() == health.getLocalPort();
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    if (isThere(request) != HEALTH.contains(String.valueOf(route))) {
      throw Refusal.of(ProblemCode.NOT_FOUND, "This resource is served on another port.");
    }
    return true;
  }
}
