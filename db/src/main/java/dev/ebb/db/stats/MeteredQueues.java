package dev.ebb.db.stats;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The queues that have metrics of their own in this process: the first {@value #MOST} that have
 * settings, and the first {@value #MOST} that have none. All others are counted together, as
 * {@value #OTHER}: anybody can submit to a new queue, and its series would stay. Such queues cannot
 * take the place of those that have settings.
 */
public final class MeteredQueues {
  public static final String OTHER = "other";
  public static final int MOST = 100;

  private final Set<String> named = ConcurrentHashMap.newKeySet();
  private final AtomicInteger configured = new AtomicInteger();
  private final AtomicInteger others = new AtomicInteger();

  /** The name by which the queue is counted; the queue gets a place of its own if one is left. */
  public String admit(String queue, boolean isConfigured) {
    if (!named.contains(queue)) {
      AtomicInteger places = isConfigured ? configured : others;
      if (places.get() < MOST && places.getAndIncrement() < MOST) {
        named.add(queue);
      }
    }
    return name(queue);
  }

  /** The name by which the queue is counted. */
  public String name(String queue) {
    return named.contains(queue) ? queue : OTHER;
  }
}
