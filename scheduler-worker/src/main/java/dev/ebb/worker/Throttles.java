package dev.ebb.worker;

import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.queue.Limiters;
import java.time.Instant;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * Tells the limiters of throttled attempts: of each queue, when the latest that was throttled was
 * claimed.
 */
final class Throttles {
  private final Predicate<String> isLimited;
  private final QueueNews<Instant> news;

  Throttles(Limiters limiters, Predicate<String> isLimited, FailureLog failureLog) {
    this.isLimited = isLimited;
    BinaryOperator<Instant> latest = BinaryOperator.maxBy(Instant::compareTo);
    this.news = new QueueNews<>("throttles", failureLog, latest, _ -> true, limiters::throttled);
  }

  QueueNews<Instant> news() {
    return news;
  }

  /** A receiver throttled the attempt. */
  void add(ClaimedJob claimed) {
    String queue = claimed.job().queue();
    if (isLimited.test(queue)) {
      news.add(queue, claimed.claimedAt());
    }
  }
}
