package dev.ebb.db.submit;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, at least one, that are stored together or not at all.
 *
 * @param strict the indexes of jobs that must not be duplicates
 * @param key under which it may be repeated; {@code null} for none
 */
public record Submission(List<NewJob> jobs, Set<Integer> strict, @Nullable IdempotencyKey key) {
  public Submission {
    require(!jobs.isEmpty(), "jobs", "must not be empty");
    jobs = List.copyOf(jobs);
    strict = Set.copyOf(strict);
  }

  /** One job, without conditions. */
  static Submission of(NewJob job) {
    return new Submission(List.of(job), Set.of(), null);
  }
}
