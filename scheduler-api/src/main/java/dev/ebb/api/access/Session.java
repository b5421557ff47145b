package dev.ebb.api.access;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.Sha256;
import dev.ebb.core.access.AccessToken;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A browser's session, in a cookie that no script reads.
 *
 * <p>The cookie holds a {@link SessionSeal}, which is good for nothing else: browsers send a cookie
 * to every port of a host. A browser also sends it along with whatever a page has it send: what
 * changes something must carry a proof in a header as well, which only a page of this server is
 * told, and which no page of another site may set.
 */
public final class Session {
  /** Proves that a page of this server sent a request. */
  public static final String PROOF = "Ebb-Page";

  private static final String COOKIE = "ebb_session";

  /** Browsers take such a cookie by TLS alone, and {@code __Host-} from this host alone. */
  private static final String SECURE = "__Secure-" + COOKIE;

  private static final String HOST = "__Host-" + COOKIE;
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final int MAX_LENGTH = 400;

  private Session() {}

  /** The value of the request's cookie; {@code null} without one. */
  public static @Nullable String value(HttpServletRequest request) {
    if (isSecure(request)) {
      String value = value(request, HOST);
      return value == null ? value(request, SECURE) : value;
    }
    return value(request, COOKIE);
  }

  private static @Nullable String value(HttpServletRequest request, String name) {
    Cookie[] cookies = request.getCookies();
    return cookies == null
        ? null
        : Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(name))
            .map(cookie -> cookie.getValue().length() > MAX_LENGTH ? "" : cookie.getValue())
            .findFirst()
            .orElse(null);
  }

  /**
   * The cookie that begins a session, for the header {@code Set-Cookie}. It ends with the browser,
   * or before.
   *
   * @param request by which the browser asks
   * @param prefix where a proxy put the server; mostly empty
   */
  public static String begin(String value, HttpServletRequest request, String prefix) {
    boolean secure = isSecure(request);
    String host = prefix.isEmpty() ? HOST : SECURE;
    return (secure ? host : COOKIE)
        + "="
        + value
        + "; Path="
        + prefix
        + "/; HttpOnly; SameSite=Lax"
        + (secure ? "; Secure" : "");
  }

  /** The cookie that ends a session. */
  public static String end(HttpServletRequest request, String prefix) {
    return begin("", request, prefix) + "; Max-Age=0";
  }

  /** Whether the browser asks over TLS. */
  public static boolean isSecure(HttpServletRequest request) {
    return request.isSecure() || "https".equals(request.getHeader("X-Forwarded-Proto"));
  }

  /** What a page of this session sends in the header {@link #PROOF}. */
  public static String proof(String value) {
    byte[] digest = Sha256.of(("page of " + value).getBytes(StandardCharsets.ISO_8859_1));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
  }

  /** Refuses a change that no page of this server asked for. */
  static void requireProof(HttpServletRequest request, String value) {
    String given = request.getHeader(PROOF);
    if (!READING.contains(request.getMethod())
        && (given == null || !AccessToken.isSame(proof(value), given))) {
      throw Refusal.of(
          ProblemCode.CROSS_SITE,
          "A change made with a session must come from a page of this server.");
    }
  }
}
