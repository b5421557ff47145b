package dev.ebb.api.inside;

import dev.ebb.api.access.Session;
import dev.ebb.api.http.BodyBudget;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A GET, or a question with a body, by the sender of another request, with its credentials and no
 * more of it.
 */
final class InsideRequest extends HttpServletRequestWrapper {
  private static final String AUTHORIZATION = "authorization";

  /** Who asks, and under which name of this server. */
  private static final Set<String> KEPT =
      Set.of("host", "cookie", AUTHORIZATION, "sec-fetch-site", "x-forwarded-proto");

  private final String path;
  private final @Nullable String query;
  private final @Nullable String token;
  private final byte @Nullable [] body;
  private final Map<String, Object> attributes = new HashMap<>();

  /**
   * @param target path and query
   * @param token to ask with; {@code null} for the credentials of the other request
   * @param body JSON of a POST; {@code null} for a GET
   */
  InsideRequest(
      HttpServletRequest page, String target, @Nullable String token, byte @Nullable [] body) {
    super(page);
    int mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.substring(0, mark);
    this.query = mark < 0 ? null : target.substring(mark + 1);
    this.token = token;
    this.body = body;
  }

  @Override
  public String getMethod() {
    return body == null ? "GET" : "POST";
  }

  @Override
  public String getRequestURI() {
    return path;
  }

  @Override
  public StringBuffer getRequestURL() {
    return new StringBuffer(path);
  }

  @Override
  public String getServletPath() {
    return path;
  }

  @Override
  public @Nullable String getPathInfo() {
    return null;
  }

  @Override
  public @Nullable String getQueryString() {
    return query;
  }

  @Override
  public @Nullable String getParameter(String name) {
    return null;
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return Map.of();
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.emptyEnumeration();
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return null;
  }

  @Override
  public @Nullable String getHeader(String name) {
    Enumeration<String> headers = getHeaders(name);
    return headers.hasMoreElements() ? headers.nextElement() : null;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String header = name.toLowerCase(Locale.ROOT);
    if (header.equals(AUTHORIZATION) && token != null) {
      return Collections.enumeration(List.of("Bearer " + token));
    }
    if (body != null && !header.equals(AUTHORIZATION)) {
      String own = ofQuestion(header);
      if (own != null || header.equals("sec-fetch-site")) {
        return own == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(own));
      }
    }
    return KEPT.contains(header) ? super.getHeaders(name) : Collections.emptyEnumeration();
  }

  /** This server asks, and changes nothing: so the session's proof is its own to give. */
  private @Nullable String ofQuestion(String header) {
    return switch (header) {
      case "content-type" -> "application/json";
      case "ebb-page" -> proof();
      default -> null;
    };
  }

  /** Looks into other headers for the session: so it is not to be asked for any of these. */
  private @Nullable String proof() {
    String session = Session.value(this);
    return session == null ? null : Session.proof(session);
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    return Collections.enumeration(KEPT);
  }

  @Override
  public int getContentLength() {
    return body == null ? 0 : body.length;
  }

  @Override
  public long getContentLengthLong() {
    return getContentLength();
  }

  @Override
  public @Nullable String getContentType() {
    return body == null ? null : "application/json";
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Body(body == null ? new byte[0] : body);
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return name.equals(BodyBudget.TAKEN) ? super.getAttribute(name) : attributes.get(name);
  }

  @Override
  public Enumeration<String> getAttributeNames() {
    return Collections.enumeration(attributes.keySet());
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    if (value == null) {
      attributes.remove(name);
    } else {
      attributes.put(name, value);
    }
  }

  @Override
  public void removeAttribute(String name) {
    attributes.remove(name);
  }

  private static final class Body extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    Body(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body is there already");
    }
  }
}
