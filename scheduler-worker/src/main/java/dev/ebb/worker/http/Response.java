package dev.ebb.worker.http;

import java.util.List;
import java.util.Optional;
import org.apache.hc.core5.http.Header;

/** What came back, as far as it came. */
final class Response {
  private final int status;
  private final List<Header> headers;
  private final byte[] body;
  private final boolean cut;

  /**
   * @param body what was read of it
   * @param cut whether there may be more of it than was read
   */
  Response(int status, List<Header> headers, byte[] body, boolean cut) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.cut = cut;
  }

  int status() {
    return status;
  }

  List<Header> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }

  boolean cut() {
    return cut;
  }

  /** The value of the first header of this name. */
  Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> header.getName().equalsIgnoreCase(name))
        .map(header -> header.getValue() == null ? "" : header.getValue())
        .findFirst();
  }
}
