package dev.ebb.worker;

import dev.ebb.db.Claimed;
import dev.ebb.db.Limiters;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the limiters of throttled attempts: of five a second and queue at most. For one thread.
 *
 * <p>A cut that cannot be written is left out: the next throttled attempt makes it.
 */
final class Throttles {
  private static final Logger log = LoggerFactory.getLogger(Throttles.class);
  private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

  private final Limiters limiters;
  private final Predicate<String> isLimited;
  private final Map<String, Long> toldNanos = new HashMap<>();

  Throttles(Limiters limiters, Predicate<String> isLimited) {
    this.limiters = limiters;
    this.isLimited = isLimited;
  }

  /** A receiver throttled the attempt. */
  void add(Claimed claimed) {
    String queue = claimed.job().queue();
    long now = System.nanoTime();
    Long told = toldNanos.get(queue);
    if (!isLimited.test(queue) || (told != null && now - told < PAUSE_NANOS)) {
      return;
    }
    toldNanos.put(queue, now);
    try {
      limiters.throttled(queue, claimed.claimedAt());
    } catch (SQLException | RuntimeException e) {
      log.warn("queue {} is throttled, and its rate could not be cut", queue, e);
    }
  }
}
