package dev.ebb.worker.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.core5.http.Header;

/** A response as far as it came, cut to what the classifier and the record need. */
final class Response {
  /** The headers that are looked at; of the others there is only what the record keeps. */
  private static final Set<String> LOOKED_AT = Set.of("content-type", "date", "retry-after");

  private final int status;
  private final KeptHeaders headers;
  private final Map<String, String> lookedAt;
  private final byte[] body;
  private final int bodyBytes;
  private final boolean cut;

  private Response(
      int status,
      KeptHeaders headers,
      Map<String, String> lookedAt,
      byte[] body,
      int bodyBytes,
      boolean cut) {
    this.status = status;
    this.headers = headers;
    this.lookedAt = lookedAt;
    this.body = body;
    this.bodyBytes = bodyBytes;
    this.cut = cut;
  }

  /** A response of which only the head is known. */
  static Response head(int status, List<Header> headers) {
    Map<String, String> lookedAt = new HashMap<>();
    for (Header header : headers) {
      String name = header.getName().toLowerCase(Locale.ROOT);
      if (LOOKED_AT.contains(name)) {
        lookedAt.putIfAbsent(name, header.getValue() == null ? "" : header.getValue());
      }
    }
    return new Response(
        status, KeptHeaders.of(headers), Map.copyOf(lookedAt), new byte[0], 0, true);
  }

  /**
   * The same with a body.
   *
   * @param body what is kept of it, from its beginning
   * @param bodyBytes how much of it was read
   * @param cut whether there may be more of it than was read
   */
  Response withBody(byte[] body, int bodyBytes, boolean cut) {
    return new Response(status, headers, lookedAt, body, bodyBytes, cut);
  }

  int status() {
    return status;
  }

  KeptHeaders headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }

  int bodyBytes() {
    return bodyBytes;
  }

  boolean cut() {
    return cut;
  }

  /** The value of the first header of this name, which is one that is looked at. */
  Optional<String> header(String name) {
    return Optional.ofNullable(lookedAt.get(name));
  }
}
