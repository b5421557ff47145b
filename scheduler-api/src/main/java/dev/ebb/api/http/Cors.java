package dev.ebb.api.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets the pages of some other sites ask the API from a browser (the CORS protocol of the Fetch
 * standard). Their requests carry a token: cookies are neither sent nor needed.
 */
public final class Cors {
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
  private static final String ASKED =
      "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID";
  private static final String ANSWERED =
      "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After";

  private final Set<String> origins;

  /**
   * @param origins of the sites, as browsers send them; empty for none
   */
  public Cors(Set<String> origins) {
    this.origins = Set.copyOf(origins);
  }

  /** Whether the pages of this origin may ask. */
  boolean allows(@Nullable String origin) {
    return origin != null && origins.contains(origin);
  }

  /** Adds to an answer what its browser must know to hand it to the page. */
  public void addTo(HttpServletRequest request, HttpServletResponse response) {
    if (origins.isEmpty()) {
      return;
    }
    response.addHeader("Vary", "Origin");
    String origin = request.getHeader("Origin");
    if (allows(origin)) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", ANSWERED);
    }
  }

  /** Answers the question of a browser whether it may send a request; false if it is none. */
  public boolean answers(HttpServletRequest request, HttpServletResponse response) {
    if (!request.getMethod().equals("OPTIONS")
        || request.getHeader("Access-Control-Request-Method") == null
        || !allows(request.getHeader("Origin"))) {
      return false;
    }
    response.setHeader("Access-Control-Allow-Methods", METHODS);
    response.setHeader("Access-Control-Allow-Headers", ASKED);
    response.setHeader("Access-Control-Max-Age", "600");
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    return true;
  }
}
