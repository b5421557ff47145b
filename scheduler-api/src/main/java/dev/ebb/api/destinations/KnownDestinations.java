package dev.ebb.api.destinations;

import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds jobs that could be delivered nowhere, before they are stored: deliveries without a URL
 * whose queue is no destination. A destination that this process has seen counts as known for ten
 * seconds more; a job that was submitted to one that is gone by then fails until it is there again.
 */
public final class KnownDestinations {
  private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

  private final Queues queues;
  private final Map<String, Long> seenAtNanos = new ConcurrentHashMap<>();

  public KnownDestinations(Queues queues) {
    this.queues = queues;
  }

  /** The queues of such jobs. */
  public SortedSet<String> missing(Collection<NewJob> jobs) throws SQLException {
    SortedSet<String> unknown = new TreeSet<>();
    long now = System.nanoTime();
    for (NewJob job : jobs) {
      if (DeliveryJson.isToQueue(job) && !isKnown(job.queue(), now)) {
        unknown.add(job.queue());
      }
    }
    if (unknown.isEmpty()) {
      return unknown;
    }
    Set<String> found = queues.destinations(unknown);
    found.forEach(queue -> seenAtNanos.put(queue, now));
    unknown.removeAll(found);
    return unknown;
  }

  /**
   * The refusal of such a job.
   *
   * @param at the pointer to the job in the body
   */
  public static Refusal refusal(String at, NewJob job) {
    return Refusal.field(
        at + "/payload/url", "must be given: the queue " + job.queue() + " is no destination");
  }

  private boolean isKnown(String queue, long now) {
    Long seen = seenAtNanos.get(queue);
    return seen != null && now - seen < KEPT_NANOS;
  }
}
