package dev.ebb.db.submit;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.RetryPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, at least one, that are stored together or not at all.
 *
 * @param strict the indexes of jobs that must not be duplicates
 * @param key under which it may be repeated; {@code null} for none
 * @param named the stored policies that its sender named, which are kept with the key
 */
public record Submission(
    List<NewJob> jobs,
    Set<Integer> strict,
    @Nullable IdempotencyKey key,
    Map<String, RetryPolicy> named) {
  public Submission {
    require(!jobs.isEmpty(), "jobs", "must not be empty");
    jobs = List.copyOf(jobs);
    strict = Set.copyOf(strict);
    named = Map.copyOf(named);
  }

  /** Without the names of policies. */
  public Submission(List<NewJob> jobs, Set<Integer> strict, @Nullable IdempotencyKey key) {
    this(jobs, strict, key, Map.of());
  }

  /** The same with other jobs. */
  public Submission with(List<NewJob> jobs) {
    return new Submission(jobs, strict, key, named);
  }

  /** The same with jobs that workers find without a notification. */
  Submission lookedFor() {
    return with(Untold.lookedFor(jobs));
  }

  /** One job, without conditions. */
  static Submission of(NewJob job) {
    return new Submission(List.of(job), Set.of(), null);
  }
}
