package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.http.ServedHosts;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses what a browser sends for a page of another site.
 *
 * <p>An API without tokens serves everybody who reaches it, and a browser may stand where it can be
 * reached: beside it, or in the same network. Two ways lead a foreign page there. It may post to
 * the address outright: such a request carries its {@code Origin}. Or its own name is made to
 * resolve to the address: such a request carries a {@code Host} that is not served. Programs that
 * are no browser send neither.
 */
public final class SenderRules implements HandlerInterceptor {
  private static final Set<String> READING = Set.of("GET", "HEAD");

  private final ServedHosts hosts;
  private final Cors cors;

  public SenderRules(ServedHosts hosts, Cors cors) {
    this.hosts = hosts;
    this.cors = cors;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!hosts.serves(request.getHeader("Host"))) {
      throw Refusal.of(ProblemCode.WRONG_HOST, "The Host " + ServedHosts.RULE + ".");
    }
    if (!READING.contains(request.getMethod())
        && isCrossSite(request)
        && !cors.allows(request.getHeader("Origin"))) {
      throw Refusal.of(
          ProblemCode.CROSS_SITE,
          "The Origin must match the Host: pages of other sites are refused.");
    }
    return true;
  }

  private static boolean isCrossSite(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return "cross-site".equals(request.getHeader("Sec-Fetch-Site"))
        || (origin != null && !isOf(origin, request.getHeader("Host")));
  }

  /** Whether the origin's authority, its port with it, is the host; {@code null} is nobody's. */
  private static boolean isOf(String origin, @Nullable String host) {
    try {
      String authority = new URI(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
