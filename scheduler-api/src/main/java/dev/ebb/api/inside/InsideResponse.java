package dev.ebb.api.inside;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps an answer, of which nothing reaches the answer around it. */
final class InsideResponse extends HttpServletResponseWrapper {
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final PrintWriter writer = new PrintWriter(body, false, StandardCharsets.UTF_8);
  private final ServletOutputStream stream = new Kept(body);
  private int status = SC_OK;

  InsideResponse(HttpServletResponse around) {
    super(around);
  }

  Reply reply() {
    writer.flush();
    return new Reply(status, headers, body.toByteArray());
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return stream;
  }

  @Override
  public PrintWriter getWriter() {
    return writer;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void setStatus(int status) {
    this.status = status;
  }

  @Override
  public void sendError(int status) {
    this.status = status;
  }

  @Override
  public void sendError(int status, String message) {
    this.status = status;
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    this.status = status;
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    if (value == null) {
      headers.remove(name.toLowerCase(Locale.ROOT));
    } else {
      headers.put(name.toLowerCase(Locale.ROOT), value);
    }
  }

  @Override
  public void addHeader(String name, String value) {
    setHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    setHeader(name, Integer.toString(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    setIntHeader(name, value);
  }

  @Override
  public void setDateHeader(String name, long value) {
    setHeader(name, Long.toString(value));
  }

  @Override
  public void addDateHeader(String name, long value) {
    setDateHeader(name, value);
  }

  @Override
  public void addCookie(Cookie cookie) {
    setHeader("Set-Cookie", cookie.getName());
  }

  @Override
  public boolean containsHeader(String name) {
    return headers.containsKey(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public @Nullable String getHeader(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public Collection<String> getHeaders(String name) {
    String value = getHeader(name);
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public Collection<String> getHeaderNames() {
    return List.copyOf(headers.keySet());
  }

  @Override
  public void setContentType(@Nullable String type) {
    setHeader("Content-Type", type);
  }

  @Override
  public @Nullable String getContentType() {
    return getHeader("Content-Type");
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    // An answer of the API is UTF-8.
  }

  @Override
  public void setContentLength(int length) {
    // It ends where its bytes end.
  }

  @Override
  public void setContentLengthLong(long length) {
    // It ends where its bytes end.
  }

  @Override
  public void setLocale(Locale locale) {
    // It has none.
  }

  @Override
  public void setBufferSize(int size) {
    // All of it is kept.
  }

  @Override
  public void flushBuffer() {
    writer.flush();
  }

  @Override
  public void resetBuffer() {
    writer.flush();
    body.reset();
  }

  @Override
  public void reset() {
    resetBuffer();
    headers.clear();
    status = SC_OK;
  }

  @Override
  public boolean isCommitted() {
    return false;
  }

  private static final class Kept extends ServletOutputStream {
    private final ByteArrayOutputStream body;

    Kept(ByteArrayOutputStream body) {
      this.body = body;
    }

    @Override
    public void write(int one) {
      body.write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      body.write(bytes, from, length);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new IllegalStateException("nobody waits to write");
    }
  }
}
