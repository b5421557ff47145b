package dev.ebb.client;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far attempts are, as one renewal tells it: what has changed since it was last heard, as much
 * of it as a request may carry beside its leases, and at least that of one. Those that were heard
 * of longest ago come first, so that each has its turn.
 */
final class News {
  static final News NONE = new News(Map.of());

  /** Around each: the job's id, quotes, a colon and a comma. */
  private static final int OVERHEAD_BYTES = 40;

  private final Map<Attempt<?>, String> told;

  private News(Map<Attempt<?>, String> told) {
    this.told = told;
  }

  static News of(Collection<Attempt<?>> attempts, NewsLimit limit) {
    List<Attempt<?>> inTurn =
        attempts.stream().sorted(Comparator.comparingLong(Attempt::heardAt)).toList();
    Map<Attempt<?>, String> told = new LinkedHashMap<>();
    int bytes = 0;
    for (Attempt<?> attempt : inTurn) {
      String progress = attempt.unheard();
      if (progress != null) {
        bytes += bytes(progress);
        if (!told.isEmpty() && (bytes > limit.bytes() || told.size() == limit.jobs())) {
          break;
        }
        told.put(attempt, progress);
      }
    }
    return new News(told);
  }

  private static int bytes(String progress) {
    return OVERHEAD_BYTES + progress.getBytes(StandardCharsets.UTF_8).length;
  }

  int jobs() {
    return told.size();
  }

  int bytes() {
    return told.values().stream().mapToInt(News::bytes).sum();
  }

  boolean isEmpty() {
    return told.isEmpty();
  }

  /** As the protocol has it: a JSON object by job. */
  String json() {
    JsonWriter jobs = new JsonWriter();
    told.forEach((attempt, progress) -> jobs.putJson(attempt.job(), progress));
    return jobs.end();
  }

  /** It need not be told again. */
  void heard() {
    told.forEach(Attempt::heard);
  }

  /** That of these leases need not be told again. */
  void heard(Set<String> leases) {
    told.forEach((attempt, progress) -> {
      if (leases.contains(attempt.lease())) {
        attempt.heard(progress);
      }
    });
  }
}
