package dev.ebb.core.query;

import dev.ebb.core.query.JobFilter.Period;
import java.util.Locale;

/**
 * Matches a filter against a job's facts, with the same result as the lists. Facts have no
 * payloads, ordering keys or due times.
 */
public final class FilterMatch {
  private FilterMatch() {}

  /** Whether every part of the filter that facts know lets the job through. */
  public static boolean matches(JobFilter filter, JobFacts job) {
    return filter.phases().contains(job.phase())
        && isOneOf(filter.queues(), job.queue())
        && isOneOf(filter.kinds(), job.kind())
        && (filter.uniqueKey() == null || filter.uniqueKey().equals(job.uniqueKey()))
        && (filter.subject() == null || filter.subject().equals(job.subject()))
        && (filter.destination() == null || filter.destination().equals(job.destination()))
        && job.attempts() >= filter.attempts().least()
        && job.attempts() <= filter.attempts().most()
        && filter.created().holds(job.createdAt(), job.at())
        && isEnded(filter.ended(), job)
        && isLabelled(filter.labels(), job)
        && holds(filter.errors(), job.error())
        && (asksNothing(filter.words()) || holds(filter.words(), shown(job)));
  }

  /** Whether it looks at labels. */
  public static boolean asksForLabels(JobFilter filter) {
    return !asksNothing(filter.labels()) || !asksNothing(filter.words());
  }

  /** Whether it looks at errors. */
  public static boolean asksForErrors(JobFilter filter) {
    return !asksNothing(filter.errors());
  }

  private static boolean asksNothing(Terms terms) {
    return terms.isEmpty();
  }

  private static boolean isOneOf(Terms names, String name) {
    return (names.wanted().isEmpty() || names.wanted().contains(name))
        && !names.unwanted().contains(name);
  }

  /** The facts of a job that has ended are of the moment of its end. */
  private static boolean isEnded(Period ended, JobFacts job) {
    return ended.isAny() || (job.phase().isEnd() && ended.holds(job.at(), job.at()));
  }

  private static boolean isLabelled(Terms labels, JobFacts job) {
    return labels.wanted().stream().allMatch(pair -> has(job, pair))
        && labels.unwanted().stream().noneMatch(pair -> has(job, pair));
  }

  private static boolean has(JobFacts job, String pair) {
    int equals = pair.indexOf('=');
    return pair.substring(equals + 1).equals(job.labels().get(pair.substring(0, equals)));
  }

  private static boolean holds(Terms texts, String text) {
    if (asksNothing(texts)) {
      return true;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    return texts.wanted().stream().allMatch(part -> lower.contains(part.toLowerCase(Locale.ROOT)))
        && texts.unwanted().stream()
            .noneMatch(part -> lower.contains(part.toLowerCase(Locale.ROOT)));
  }

  private static String shown(JobFacts job) {
    String key = job.uniqueKey() == null ? "" : job.uniqueKey() + "\n";
    return job.id()
        + "\n"
        + job.queue()
        + "\n"
        + job.kind()
        + "\n"
        + key
        + String.join("\n", job.labels().values());
  }
}
