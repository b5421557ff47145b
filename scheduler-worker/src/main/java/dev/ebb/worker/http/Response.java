package dev.ebb.worker.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.core5.http.Header;
import org.jspecify.annotations.Nullable;

/**
 * An answer as far as it came, with as much of it as the outcome and the record need.
 *
 * @param lookedAt each header whose value matters, by its name in lower case: the first, or where
 *     several may come, all of them with commas between
 * @param tested the body as rules see it
 * @param bodyBytes how much of the body was read
 * @param cut whether there may be more of the body than was read
 */
record Response(
    int status,
    KeptHeaders headers,
    Map<String, String> lookedAt,
    BodyText body,
    Tested tested,
    int bodyBytes,
    boolean cut) {
  /**
   * A body as far as it was kept.
   *
   * @param text {@code null} if it is no text, or no rule tests it
   * @param cut whether there may be more of it
   */
  record Tested(@Nullable String text, boolean cut) {}

  /** By it a receiver asks that no more of the message be sent (Svix). */
  private static final String STOP = "webhook-delivery";

  private static final Set<String> LOOKED_AT = Set.of("content-type", "date", STOP);

  private static final Set<String> STOPS = Set.of("disable", "abort-message");

  /** Those of which all values matter. */
  private static final Set<String> LISTS = Set.of("retry-after");

  /**
   * A response of which only the head is known.
   *
   * @param dropped whether it had more headers
   */
  static Response head(int status, List<Header> headers, boolean dropped) {
    Map<String, String> lookedAt = new HashMap<>();
    for (Header header : headers) {
      String name = header.getName().toLowerCase(Locale.ROOT);
      if (LISTS.contains(name)) {
        lookedAt.merge(name, value(header), (first, next) -> first + ", " + next);
      } else if (LOOKED_AT.contains(name)) {
        lookedAt.putIfAbsent(name, value(header));
      }
    }
    KeptHeaders kept = KeptHeaders.of(headers, dropped);
    return new Response(
        status, kept, Map.copyOf(lookedAt), new BodyText("", false), new Tested("", true), 0, true);
  }

  private static String value(Header header) {
    return header.getValue() == null ? "" : header.getValue();
  }

  /**
   * The same with a body, of which at least what {@link BodyText} keeps is given.
   *
   * @param isTested whether rules see it
   */
  Response withBody(byte[] beginning, int bodyBytes, boolean cut, boolean isTested) {
    String type = header("content-type").orElse("");
    boolean isMore = cut || bodyBytes > beginning.length;
    String text = isTested ? BodyText.decoded(beginning, type, isMore) : null;
    return new Response(
        status,
        headers,
        lookedAt,
        BodyText.of(beginning, type),
        new Tested(text, isMore),
        bodyBytes,
        cut);
  }

  /** Whether a header asks for no more attempts. */
  boolean asksToStop() {
    return header(STOP)
        .filter(asked -> STOPS.contains(asked.strip().toLowerCase(Locale.ROOT)))
        .isPresent();
  }

  /** Whether there may be more of the body than its text holds. */
  boolean isBodyCut() {
    return cut || bodyBytes > BodyText.MAX_BYTES;
  }

  /** The value of the headers of this name, which is one of those that are looked at. */
  Optional<String> header(String name) {
    return Optional.ofNullable(lookedAt.get(name));
  }
}
