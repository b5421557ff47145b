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
 * A browser's token, in a cookie that no script reads.
 *
 * <p>The cookie holds the token itself. So a session ends when its token does, every process knows
 * it, and none has to remember it. A browser sends the cookie along with whatever a page has it
 * send: what changes something must also carry a proof in a header, which only a page of this
 * server is told, and which no page of another site may set.
 */
public final class Session {
  /** Proves that a page of this server sent a request. */
  public static final String PROOF = "Ebb-Page";

  private static final String COOKIE = "ebb_session";
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final int MAX_LENGTH = 400;

  private Session() {}

  /** The token in the request's cookie; {@code null} without one. */
  public static @Nullable String token(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    return cookies == null
        ? null
        : Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(COOKIE))
            .map(cookie -> decoded(cookie.getValue()))
            .findFirst()
            .orElse(null);
  }

  private static String decoded(String value) {
    try {
      return value.length() > MAX_LENGTH
          ? ""
          : new String(Base64.getUrlDecoder().decode(value), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  /**
   * The cookie that begins a session, for the header {@code Set-Cookie}. It ends with the browser.
   *
   * @param secure whether the browser asks over TLS
   */
  public static String begin(String token, boolean secure) {
    String value =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(token.getBytes(StandardCharsets.ISO_8859_1));
    return cookie(value, secure);
  }

  /** The cookie that ends a session. */
  public static String end(boolean secure) {
    return cookie("", secure) + "; Max-Age=0";
  }

  private static String cookie(String value, boolean secure) {
    return COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Lax" + (secure ? "; Secure" : "");
  }

  /** What a page of this token's session sends in the header {@link #PROOF}. */
  public static String proof(String token) {
    byte[] digest = Sha256.of(("page of " + token).getBytes(StandardCharsets.ISO_8859_1));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
  }

  /** Refuses a change that no page of this server asked for. */
  static void requireProof(HttpServletRequest request, String token) {
    String given = request.getHeader(PROOF);
    if (!READING.contains(request.getMethod())
        && (given == null || !AccessToken.isSame(proof(token), given))) {
      throw Refusal.of(
          ProblemCode.CROSS_SITE,
          "A change that a session asks for must come from a page of this server.");
    }
  }
}
