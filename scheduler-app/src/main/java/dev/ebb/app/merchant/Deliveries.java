package dev.ebb.app.merchant;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the merchant remembers of its deliveries: how many got which answer, and the last ones. */
final class Deliveries {
  static final int LAST = 20;
  private static final int MAX_TEXT = 200;

  /** One delivery; never its body. */
  record Delivery(Instant at, String path, String webhookId, String attempt, String answer) {}

  private final Map<String, Long> counts = new TreeMap<>();
  private final Deque<Delivery> last = new ArrayDeque<>();
  private long total;

  synchronized void add(Instant at, Request request, Behaviour behaviour) {
    total++;
    counts.merge(behaviour.word(), 1L, Long::sum);
    last.addFirst(
        new Delivery(
            at,
            cut(request.path()),
            cut(request.header("webhook-id")),
            cut(request.header("ebb-attempt")),
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

  private static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
  }
}
