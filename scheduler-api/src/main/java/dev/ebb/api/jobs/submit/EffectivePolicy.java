package dev.ebb.api.jobs.submit;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The policy that applies to a job, and how many attempts it is submitted with. */
public record EffectivePolicy(RetryPolicy policy, int maxAttempts) {

  /**
   * The job's own, or else its queue's, or else the default.
   *
   * @param ofQueue {@code null} where the queue has none
   */
  public static EffectivePolicy of(NewJob job, @Nullable RetryPolicy ofQueue) {
    RetryPolicy otherwise = ofQueue == null ? Presets.policy(Presets.DEFAULT) : ofQueue;
    RetryPolicy policy = job.policy() == null ? otherwise : job.policy();
    Integer own = job.maxAttempts();
    return new EffectivePolicy(policy, own == null ? policy.maxAttempts() : own);
  }

  /** The same, with the policy that the job's queue has now. */
  public static EffectivePolicy of(NewJob job, Queues queues) throws SQLException {
    return of(job, job.policy() == null ? ofQueue(job.queue(), queues) : null);
  }

  static @Nullable RetryPolicy ofQueue(String name, Queues queues) throws SQLException {
    QueueView queue = queues.find(name).orElse(null);
    return queue == null ? null : queue.settings().policy();
  }
}
