package dev.ebb.ui.words;

import dev.ebb.contract.Job;
import org.jspecify.annotations.Nullable;

/** What a job is called where people read of it. */
public final class JobName {
  private JobName() {}

  /** Its unique key or, without one, the end of its id. */
  public static String of(Job job) {
    return of(job.id(), job.uniqueKey());
  }

  /** The same of a job of which no more is known. */
  public static String of(String id, @Nullable String uniqueKey) {
    return uniqueKey == null ? Words.shortened(id) : uniqueKey;
  }

  /** With what it is about or, if it is about nothing, with its kind. */
  public static String title(Job job) {
    return job.subject() == null
        ? of(job) + " (" + job.kind() + ")"
        : of(job) + " → " + job.subject();
  }

  /** The search that finds what is about the same. */
  public static String ofSameSubject(String subject, @Nullable String destination) {
    return Search.token(subject.equals(destination) ? "destination" : "subject", subject);
  }
}
