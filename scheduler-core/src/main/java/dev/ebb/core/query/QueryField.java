package dev.ebb.core.query;

import static dev.ebb.core.query.Condition.Comparison.ABOVE;
import static dev.ebb.core.query.Condition.Comparison.AT_LEAST;
import static dev.ebb.core.query.Condition.Comparison.BELOW;
import static dev.ebb.core.query.Condition.Comparison.IS;

import dev.ebb.core.query.Condition.Comparison;
import java.util.List;

/**
 * A field of the language of tokens, for those who suggest one.
 *
 * @param usual the comparisons by which people mostly ask
 * @param example a value that it takes
 * @param says what a token of it finds
 */
public record QueryField(String name, List<Comparison> usual, String example, String says) {
  /** All of them, as a query is mostly narrowed. */
  public static final List<QueryField> ALL =
      List.of(
          is("state", "retrying", "where a job stands; commas join several"),
          is("queue", "payments", "jobs of a queue; commas join several"),
          is("kind", "http", "jobs of a kind; commas join several"),
          is("label", "merchant=acme", "jobs that bear a label, as name=value"),
          is("error", "timeout", "words of the last error"),
          is("group", "0198a2c4-7c00-7a10-8000-5d2b8f1c0e11", "dead letters of a group, by its id"),
          is("key", "order-9981", "the job with a unique key"),
          is("payload", "9981", "words of the payload"),
          ordered("attempts", ABOVE, BELOW, "3", "by how often they were tried"),
          ordered("age", ABOVE, BELOW, "10m", "by the time since the submit"),
          ordered("created", AT_LEAST, BELOW, "2027-01-31", "by the day or instant of the submit"),
          ordered("due", BELOW, ABOVE, "10m", "jobs that wait, by the time until they are due"),
          ordered("ended", BELOW, ABOVE, "1h", "by the time since the end, or the day of it"));

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
