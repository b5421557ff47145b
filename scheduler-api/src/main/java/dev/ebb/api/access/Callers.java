package dev.ebb.api.access;

import dev.ebb.api.http.Shares;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.AccessToken;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.LiveToken;
import dev.ebb.db.access.SessionKeys;
import dev.ebb.db.access.Tokens;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out who asks, by the token that a request carries. */
public final class Callers {
  private static final Pattern BEARER = Pattern.compile("(?i)bearer +([!-~]+)");

  private final AccessConfig config;
  private final boolean open;
  private final @Nullable String adminHash;
  private final KnownTokens tokens;
  private final Sessions sessions;
  private final @Nullable RequestRate rate;

  public Callers(AccessConfig config, Tokens tokens, SessionKeys keys) {
    this.config = config;
    this.open = config.open();
    String admin = config.adminToken();
    this.adminHash = admin == null ? null : AccessToken.hash(admin);
    this.tokens = new KnownTokens(tokens, System::nanoTime);
    this.sessions = new Sessions(keys, InstantSource.system());
    Integer perMinute = config.requestsPerMinute();
    this.rate = perMinute == null ? null : new RequestRate(perMinute, System::nanoTime);
  }

  /**
   * The caller; a {@link Refusal} if it brings no live token. A browser brings a session in a
   * cookie, and with a change the proof that a page of this server wants it.
   */
  Caller of(HttpServletRequest request) throws SQLException {
    Caller caller = reader(request);
    String session = open || hasToken(request) ? null : Session.value(request);
    if (session != null) {
      Session.requireProof(request, session);
    }
    return caller;
  }

  private static boolean hasToken(HttpServletRequest request) {
    return request.getHeader("Authorization") != null;
  }

  /** The same of a request that changes nothing, whatever its method. */
  public Caller reader(HttpServletRequest request) throws SQLException {
    if (open) {
      return Caller.ANYBODY;
    }
    String session = hasToken(request) ? null : Session.value(request);
    if (session != null) {
      return inSession(session);
    }
    List<String> headers = Collections.list(request.getHeaders("Authorization"));
    if (headers.isEmpty()) {
      throw Refusal.unauthenticated("The header Authorization must be given, as Bearer TOKEN.");
    }
    Matcher bearer = BEARER.matcher(headers.getFirst().strip());
    if (headers.size() != 1 || !bearer.matches()) {
      throw Refusal.unauthenticated(
          "The header Authorization must be given once, as Bearer TOKEN.");
    }
    return owner(bearer.group(1));
  }

  /**
   * Takes one request of the caller's quota, and lets the answer say what is left; a {@link
   * Refusal} if it is used up. Where nobody has a token, each sender is a caller.
   */
  public void charge(Caller caller, HttpServletRequest request, HttpServletResponse response) {
    if (rate == null) {
      return;
    }
    RequestRate.Quota quota = rate.take(share(caller, request));
    response.setHeader("RateLimit-Policy", rate.policy());
    response.setHeader("RateLimit", "\"token\";r=" + quota.remaining() + ";t=" + quota.seconds());
    if (!quota.allowed()) {
      throw Refusal.tooManyRequests(quota.seconds());
    }
  }

  /** Whose share of this process a request uses: where nobody has a token, its sender's. */
  public Object share(Caller caller, HttpServletRequest request) {
    return open ? sender(request.getRemoteAddr()) : caller.key();
  }

  /**
   * Whether the token of a request that goes on for long still is live.
   *
   * @throws SQLException if nobody knows
   */
  public boolean isLive(HttpServletRequest request) throws SQLException {
    try {
      var _ = of(request);
      return true;
    } catch (Refusal dead) {
      return false;
    }
  }

  /** Refuses a request that has waited, if its token is live no more. */
  void requireLive(HttpServletRequest request) throws SQLException {
    if (!isLive(request)) {
      throw Refusal.deadToken("The token was revoked or expired meanwhile.");
    }
  }

  /** Whether nobody may change anything here. */
  public boolean isReadOnly() {
    return config.readOnly();
  }

  /** What of a payload this process hides from those without {@code payload:read}. */
  List<String> masked() {
    return config.masked();
  }

  /** As {@link Shares} tells senders apart. */
  static Object sender(String address) {
    return Shares.sender(InetAddress.ofLiteral(address));
  }

  /** Has the tokens read anew, because this node has changed one. */
  void tokensChanged() {
    tokens.changed();
  }

  /**
   * The value of the cookie of a new session of a live token; empty where nobody needs one, or it
   * is none.
   */
  public Optional<String> beginSession(String token) throws SQLException {
    if (open) {
      return Optional.empty();
    }
    if (isAdmin(token)) {
      return Optional.of(sessions.begin(SessionSeal.ADMIN, AccessToken.hash(token), null));
    }
    LiveToken live = tokens.find(token).orElse(null);
    return live == null
        ? Optional.empty()
        : Optional.of(sessions.begin(live.id(), live.hash(), live.expiresAt()));
  }

  private Caller inSession(String cookie) throws SQLException {
    SessionSeal session = SessionSeal.read(cookie).orElse(null);
    if (session != null && session.token().equals(SessionSeal.ADMIN)) {
      if (adminHash != null && sessions.isLive(session, adminHash)) {
        return admin();
      }
    } else if (session != null) {
      LiveToken live = tokens.withId(session.token()).orElse(null);
      if (live != null && sessions.isLive(session, live.hash())) {
        return caller(live);
      }
    }
    throw Refusal.deadToken("The session has ended. Sign in again.");
  }

  /** The caller with the token; a {@link Refusal} if it is not live. */
  public Caller owner(String token) throws SQLException {
    if (isAdmin(token)) {
      return admin();
    }
    return tokens
        .find(token)
        .map(Callers::caller)
        .orElseThrow(() -> Refusal.deadToken("The token is unknown, revoked or expired."));
  }

  private boolean isAdmin(String token) {
    return adminHash != null && AccessToken.isSame(adminHash, AccessToken.hash(token));
  }

  private static Caller admin() {
    return new Caller("EBB_ADMIN_TOKEN", null, EnumSet.allOf(Scope.class), null, null);
  }

  private static Caller caller(LiveToken live) {
    return new Caller(live.name(), live.id(), live.scopes(), live.expiresAt(), live.queues());
  }
}
