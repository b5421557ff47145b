package dev.ebb.db.event;

import dev.ebb.core.query.JobFacts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that happened, and the transaction that wrote it down. */
public sealed interface Event {
  long transaction();

  Instant at();

  /**
   * A job ended, or an attempt that did not complete it.
   *
   * @param outcome {@code completed}, {@code cancelled}, {@code dead_letter}, or that of the
   *     attempt: {@code failed}, {@code throttled}, {@code fatal}, {@code given_back}
   * @param reason of the failure; {@code null} if it did not fail
   */
  record JobEvent(long transaction, JobFacts facts, String outcome, @Nullable String reason)
      implements Event {
    @Override
    public Instant at() {
      return facts.at();
    }
  }

  /**
   * People changed something, as the audit says; it does not say who, why and from where.
   *
   * @param action such as {@code queue.pause}
   * @param affected how many were changed
   */
  record ChangeEvent(long transaction, Instant at, String action, String subject, long affected)
      implements Event {

    /** Whether the cluster's start was paused or resumed. */
    public boolean isOfStart() {
      return action.startsWith("start.");
    }
  }
}
