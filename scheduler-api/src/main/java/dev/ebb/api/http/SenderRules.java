package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses what a browser sends for a page of another site.
 *
 * <p>An API on a loopback address asks nobody for a token, and the browser beside it reaches it.
 * Two ways lead a foreign page there. It may post to the address outright: such a request carries
 * its {@code Origin}. Or its own name is made to resolve to the loopback address (DNS rebinding),
 * so that the browser takes both for one site: such a request carries that name as its {@code
 * Host}, which nothing but a loopback name may be. Programs that are no browser send neither.
 */
public final class SenderRules implements HandlerInterceptor {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> READING = Set.of("GET", "HEAD");

  private final String host;
  private final boolean loopback;

  /**
   * @param host as it was configured; always served too
   * @param address that it stands for
   */
  public SenderRules(String host, InetAddress address) {
    this.host = host.toLowerCase(Locale.ROOT);
    this.loopback = address.isLoopbackAddress();
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (loopback && !isServed(request.getServerName().toLowerCase(Locale.ROOT))) {
      throw Refusal.of(
          ProblemCode.WRONG_HOST, "The Host must be localhost, 127.0.0.1 or [::1], with any port.");
    }
    if (!READING.contains(request.getMethod()) && isCrossSite(request)) {
      throw Refusal.of(
          ProblemCode.CROSS_SITE, "The Origin's host must be the Host, and no other site's page.");
    }
    return true;
  }

  private boolean isServed(String name) {
    return LOOPBACK.contains(name) || name.equals(host);
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
