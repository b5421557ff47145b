package dev.ebb.worker.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.core5.http.Header;

/**
 * An answer as far as it came, with as much of it as the outcome and the record need.
 *
 * @param lookedAt the first of each header whose value matters, by its name in lower case
 * @param bodyBytes how much of the body was read
 * @param cut whether there may be more of the body than was read
 */
record Response(
    int status,
    KeptHeaders headers,
    Map<String, String> lookedAt,
    BodyText body,
    int bodyBytes,
    boolean cut) {
  private static final Set<String> LOOKED_AT = Set.of("content-type", "date", "retry-after");

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
        status, KeptHeaders.of(headers), Map.copyOf(lookedAt), new BodyText("", false), 0, true);
  }

  /** The same with a body, of which at least what {@link BodyText} keeps is given. */
  Response withBody(byte[] beginning, int bodyBytes, boolean cut) {
    BodyText body = BodyText.of(beginning, header("content-type").orElse(""));
    return new Response(status, headers, lookedAt, body, bodyBytes, cut);
  }

  /** Whether there may be more of the body than its text holds. */
  boolean isBodyCut() {
    return cut || bodyBytes > BodyText.MAX_BYTES;
  }

  /** The value of the first header of this name, which is one of those that are looked at. */
  Optional<String> header(String name) {
    return Optional.ofNullable(lookedAt.get(name));
  }
}
