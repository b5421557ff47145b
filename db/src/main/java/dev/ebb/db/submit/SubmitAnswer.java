package dev.ebb.db.submit;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link Submission}. */
public sealed interface SubmitAnswer {

  /**
   * Its jobs are committed, or duplicates.
   *
   * @param jobs an answer for each, in their order
   * @param replayed whether an earlier submission with the same key stored them
   */
  record Stored(List<Submitted> jobs, boolean replayed) implements SubmitAnswer {}

  /**
   * Nothing was stored, because a strict job is a duplicate.
   *
   * @param index of the first such job
   * @param holder the job that holds its unique key; {@code null} if that is another job of the
   *     same submission
   */
  record Duplicate(int index, @Nullable UUID holder) implements SubmitAnswer {}

  /** Nothing was stored: another transaction, which has not ended, uses the key. */
  record InFlight() implements SubmitAnswer {}

  /**
   * Nothing was stored: the key stands for another request.
   *
   * @param job the first that was submitted with it
   */
  record KeyReused(Instant firstUsedAt, UUID job) implements SubmitAnswer {}

  /** Whether it stored a job that was not there before. */
  default boolean isNew() {
    return this instanceof Stored(List<Submitted> jobs, boolean replayed)
        && !replayed
        && !jobs.stream().allMatch(Submitted::duplicate);
  }

  /** The answer where these are the answers for its jobs. */
  static SubmitAnswer of(Submission submission, List<Submitted> jobs) {
    for (int i = 0; i < jobs.size(); i++) {
      if (jobs.get(i).duplicate() && submission.strict().contains(i)) {
        UUID holder = jobs.get(i).id();
        boolean own = jobs.stream().anyMatch(job -> !job.duplicate() && job.id().equals(holder));
        return new Duplicate(i, own ? null : holder);
      }
    }
    return new Stored(jobs, false);
  }
}
