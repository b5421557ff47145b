package dev.ebb.app.merchant;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An HTTP/1.1 request, as far as an echo merchant needs one.
 *
 * @param headers by lower-case name; of a repeated one the last
 */
record Request(String method, String path, Map<String, String> headers, String body) {
  private static final int MAX_LINE = 16 * 1024;
  private static final int MAX_HEADERS = 200;
  private static final int MAX_BODY = 1024 * 1024;

  /** Says "go on" to a client that asks before it sends its body. */
  @FunctionalInterface
  interface GoOn {
    void say() throws IOException;
  }

  /** The next request of a connection, or nothing where the client has closed it. */
  static Optional<Request> read(InputStream in, GoOn goOn) throws IOException {
    String first = line(in);
    if (first == null) {
      return Optional.empty();
    }
    String[] words = first.split(" ", 3);
    if (words.length != 3) {
      throw new IOException("not a request line");
    }
    Map<String, String> headers = headers(in);
    if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      goOn.say();
    }
    String body = new String(body(in, headers), StandardCharsets.UTF_8);
    return Optional.of(new Request(words[0], words[1], headers, body));
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  boolean closes() {
    return header("connection").equalsIgnoreCase("close");
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon < 1 || headers.size() == MAX_HEADERS) {
        throw new IOException("not a header");
      }
      headers.put(
          line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
      return chunks(in);
    }
    return exactly(in, size(headers.getOrDefault("content-length", "0"), 10));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String head = line(in);
      int size = size(head == null ? "" : head.split(";", 2)[0].strip(), 16);
      body.writeBytes(exactly(in, size));
      size(String.valueOf(body.size()), 10);
      if (size == 0) {
        headers(in);
        return body.toByteArray();
      }
      line(in);
    }
  }

  private static int size(String digits, int radix) throws IOException {
    try {
      int size = Integer.parseInt(digits, radix);
      if (size >= 0 && size <= MAX_BODY) {
        return size;
      }
    } catch (NumberFormatException notANumber) {
      // Refused below.
    }
    throw new IOException("a body of at most " + MAX_BODY + " bytes is taken");
  }

  private static byte[] exactly(InputStream in, int size) throws IOException {
    byte[] bytes = in.readNBytes(size);
    if (bytes.length < size) {
      throw new EOFException("the body ended early");
    }
    return bytes;
  }

  private static @org.jspecify.annotations.Nullable String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c == -1) {
        return null;
      }
      if (line.length() == MAX_LINE) {
        throw new IOException("a line of at most " + MAX_LINE + " characters is taken");
      }
      line.append((char) c);
    }
    return line.toString().stripTrailing();
  }
}
