package dev.ebb.api.events;

import dev.ebb.api.http.Answer;
import dev.ebb.db.event.Event.JobEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** How many events of jobs there were, by queue and outcome, where each alone would be too many. */
final class JobSums {
  /** The other queues are told as one, without a name. */
  static final int MOST_QUEUES = 100;

  static final int NEWEST = 20;

  private final Map<String, Map<String, Long>> byQueue = new TreeMap<>();
  private final Map<String, Long> others = new TreeMap<>();
  private final Map<String, Long> total = new TreeMap<>();
  private final Deque<UUID> newest = new ArrayDeque<>();

  private record OfQueue(String queue, Map<String, Long> counts) {}

  private record Body(
      Map<String, Long> counts,
      List<OfQueue> queues,
      Map<String, Long> otherQueues,
      List<UUID> newest,
      boolean more) {}

  void add(JobEvent job) {
    String queue = job.facts().queue();
    Map<String, Long> counts = byQueue.get(queue);
    if (counts == null && byQueue.size() < MOST_QUEUES) {
      counts = new TreeMap<>();
      byQueue.put(queue, counts);
    }
    (counts == null ? others : counts).merge(job.outcome(), 1L, Long::sum);
    total.merge(job.outcome(), 1L, Long::sum);
    newest.addFirst(job.facts().id());
    if (newest.size() > NEWEST) {
      newest.removeLast();
    }
  }

  /** The JSON of all. */
  String json() {
    List<OfQueue> queues =
        byQueue.entrySet().stream()
            .map(entry -> new OfQueue(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparing(OfQueue::queue))
            .toList();
    Body body = new Body(total, queues, others, List.copyOf(newest), true);
    return new String(Answer.bytes(body), StandardCharsets.UTF_8);
  }
}
