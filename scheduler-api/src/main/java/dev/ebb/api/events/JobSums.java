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
import org.jspecify.annotations.Nullable;

/** How many events of jobs there were, by queue and outcome, where each alone would be too many. */
final class JobSums {
  /** The other queues are told as one, without a name. */
  static final int MOST_QUEUES = 100;

  static final int NEWEST = 20;

  private final Map<String, Map<String, Long>> byQueue = new TreeMap<>();
  private final Map<String, Long> others = new TreeMap<>();
  private final Map<String, Long> total = new TreeMap<>();
  private final Deque<UUID> newest = new ArrayDeque<>();
  private @Nullable String json;

  private record OfQueue(String queue, Map<String, Long> counts) {}

  private record Body(
      Map<String, Long> counts,
      List<OfQueue> queues,
      Map<String, Long> otherQueues,
      List<UUID> newest,
      boolean more) {}

  void add(JobEvent job) {
    of(job.facts().queue()).merge(job.outcome(), 1L, Long::sum);
    total.merge(job.outcome(), 1L, Long::sum);
    addNewest(job.facts().id());
  }

  /** Adds what came later. */
  void addAll(JobSums later) {
    later.byQueue.forEach((queue, counts) -> addAll(of(queue), counts));
    addAll(others, later.others);
    addAll(total, later.total);
    later.newest.reversed().forEach(this::addNewest);
  }

  private static void addAll(Map<String, Long> sums, Map<String, Long> counts) {
    counts.forEach((outcome, count) -> sums.merge(outcome, count, Long::sum));
  }

  private Map<String, Long> of(String queue) {
    Map<String, Long> counts = byQueue.get(queue);
    if (counts == null && byQueue.size() < MOST_QUEUES) {
      counts = new TreeMap<>();
      byQueue.put(queue, counts);
    }
    return counts == null ? others : counts;
  }

  private void addNewest(UUID id) {
    newest.addFirst(id);
    if (newest.size() > NEWEST) {
      newest.removeLast();
    }
  }

  /** The JSON of all, to which nothing is added from then on. */
  synchronized String json() {
    String text = json;
    if (text == null) {
      text = written();
      json = text;
    }
    return text;
  }

  private String written() {
    List<OfQueue> queues =
        byQueue.entrySet().stream()
            .map(entry -> new OfQueue(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparing(OfQueue::queue))
            .toList();
    Body body = new Body(total, queues, others, List.copyOf(newest), true);
    return new String(Answer.bytes(body), StandardCharsets.UTF_8);
  }
}
