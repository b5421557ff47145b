package dev.ebb.app.merchant;

import com.sun.net.httpserver.HttpExchange;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The merchant's memory of its deliveries: how many got which answer, and the last ones. */
final class Deliveries {
  static final int LAST = 20;
  private static final int MAX_TEXT = 200;

  /** One delivery; never its body. */
  record Delivery(Instant at, String path, String webhookId, String attempt, String answer) {}

  private final Map<String, Long> counts = new TreeMap<>();
  private final Deque<Delivery> last = new ArrayDeque<>();
  private long total;

  synchronized void add(Instant at, HttpExchange request, Behaviour behaviour) {
    total++;
    counts.merge(behaviour.word(), 1L, Long::sum);
    last.addFirst(
        new Delivery(
            at,
            cut(request.getRequestURI().toString()),
            cut(request.getRequestHeaders().getFirst("webhook-id")),
            cut(request.getRequestHeaders().getFirst("ebb-attempt")),
            behaviour.word()));
    while (last.size() > LAST) {
      last.removeLast();
    }
  }

  synchronized long total() {
    return total;
  }

  synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  /** The newest first. */
  synchronized List<Delivery> last() {
    return List.copyOf(last);
  }

  private static String cut(@Nullable String text) {
    return text == null ? "" : text.substring(0, Math.min(text.length(), MAX_TEXT));
  }
}
