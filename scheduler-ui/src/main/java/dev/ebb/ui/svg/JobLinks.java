package dev.ebb.ui.svg;

import dev.ebb.ui.words.Search;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Writes the addresses of the lists that hold what a mark of a chart counts, and none where a list
 * would hold something else, but for single jobs at the border of a step.
 *
 * @param address of the list that a search finds
 * @param queues whose jobs are counted; none for those of all queues
 * @param kept since when all jobs that ended are still there: earlier steps lead nowhere
 */
public record JobLinks(UnaryOperator<String> address, List<String> queues, Instant kept) {
  private static final String NOWHERE = "";

  public JobLinks {
    queues = List.copyOf(queues);
  }

  /** Jobs that were submitted in a step, whatever became of them. */
  public String submitted(Instant at, Duration step) {
    return over("", "created", at, step);
  }

  /** Jobs that were completed in a step. */
  public String completed(Instant at, Duration step) {
    return over("state:completed", "ended", at, step);
  }

  /** Jobs that ended in a step, none of which came back. */
  public String ended(Instant at, Duration step) {
    return over("state:completed,cancelled", "ended", at, step);
  }

  /** Jobs that died in a step and are dead letters still. */
  public String died(Instant at, Duration step) {
    return over("state:dead_letter", "ended", at, step);
  }

  private String over(String state, String field, Instant at, Duration step) {
    return at.isBefore(kept)
        ? NOWHERE
        : found(state, field + ">=" + at, field + "<" + at.plus(step));
  }

  /** Jobs that are due and wait, among those that had so many attempts. */
  String due(String attempts) {
    return found("state:due", attempts);
  }

  /**
   * Jobs that become due in a step, among those that had so many attempts. A job that is held until
   * then is one of them, and so is one that is due by now and waits still.
   */
  String due(Instant at, Duration step, String attempts) {
    String time = "due>=" + at + " due<" + at.plus(step);
    return found("state:available", time, attempts);
  }

  /** Jobs that wait, be they due or not, among those that had so many attempts. */
  String waiting(String... attempts) {
    return found("state:available", attempts);
  }

  private String found(String state, String... tokens) {
    String named = queues.isEmpty() ? "" : "queue:" + String.join(",", queues);
    String search = (named + " " + state).strip() + " " + String.join(" ", tokens);
    return search.length() > Search.MAX_LENGTH ? NOWHERE : address.apply(search.strip());
  }

  /** The address, if there is anything to show. */
  static String ifAny(long jobs, String address) {
    return jobs > 0 ? address : NOWHERE;
  }
}
