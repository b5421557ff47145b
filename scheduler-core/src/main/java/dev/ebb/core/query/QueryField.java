package dev.ebb.core.query;

import static dev.ebb.core.query.Condition.Comparison.ABOVE;
import static dev.ebb.core.query.Condition.Comparison.AT_LEAST;
import static dev.ebb.core.query.Condition.Comparison.BELOW;
import static dev.ebb.core.query.Condition.Comparison.IS;

import dev.ebb.core.query.Condition.Comparison;
import java.util.List;

/**
 * A field of the query language, for suggestions.
 *
 * @param usual the most common comparisons
 * @param example a valid value
 * @param says the jobs that it finds, in words
 */
public record QueryField(String name, List<Comparison> usual, String example, String says) {
  /** All of them, as a query is mostly narrowed. */
  public static final List<QueryField> ALL =
      List.of(
          is("state", "retrying", "a job's state; separate several with commas"),
          is("queue", "payments", "jobs of a queue; separate several with commas"),
          is("kind", "http", "jobs of a kind; separate several with commas"),
          is("label", "merchant=acme", "jobs with a label, as name=value"),
          is("error", "timeout", "text in the last error"),
          is("group", "0198a2c4-7c00-7a10-8000-5d2b8f1c0e11", "dead letters of a group, by its id"),
          is("key", "order-9981", "the job with a unique key"),
          is("payload", "9981", "text in the payload"),
          ordered("attempts", ABOVE, BELOW, "3", "by attempts so far"),
          ordered("age", ABOVE, BELOW, "10m", "by time since the submit"),
          ordered("created", AT_LEAST, BELOW, "2027-01-31", "by day or instant of the submit"),
          ordered("due", BELOW, ABOVE, "10m", "waiting jobs, by time until they are due"),
          ordered("ended", BELOW, ABOVE, "1h", "by time since the end, or its day"));

  public QueryField {
    usual = List.copyOf(usual);
  }

  private static QueryField is(String name, String example, String says) {
    return new QueryField(name, List.of(IS), example, says);
  }

  private static QueryField ordered(
      String name, Comparison one, Comparison other, String example, String says) {
    return new QueryField(name, List.of(one, other), example, says);
  }

  /** How tokens of it begin. */
  public List<String> starts() {
    return usual.stream().map(comparison -> name + comparison.sign()).toList();
  }
}
