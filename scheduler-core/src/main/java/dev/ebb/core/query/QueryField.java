package dev.ebb.core.query;

import static dev.ebb.core.query.Condition.Comparison.ABOVE;
import static dev.ebb.core.query.Condition.Comparison.AT_LEAST;
import static dev.ebb.core.query.Condition.Comparison.BELOW;
import static dev.ebb.core.query.Condition.Comparison.IS;

import dev.ebb.core.query.Condition.Comparison;
import java.util.List;

/**
 * A field of the query language, and the parameters that stand for it.
 *
 * @param usual the most common comparisons
 * @param example a valid value
 * @param says the jobs that it finds, in words
 * @param parameters of lists, counts and streams, and fields of a filter in a body
 */
public record QueryField(
    String name, List<Comparison> usual, String example, String says, List<Parameter> parameters) {
  /** What a parameter holds in a body; a query has texts alone, of which several make a list. */
  public enum Form {
    TEXT,
    NUMBER,
    LIST
  }

  /** A parameter that narrows jobs to those whose field compares so with its value. */
  public record Parameter(String name, Comparison comparison, Form form) {}

  /** All of them, as a query is mostly narrowed. */
  public static final List<QueryField> ALL =
      List.of(
          is("state", "retrying", "a job's state; separate several with commas").as(list("state")),
          is("queue", "payments", "jobs of a queue; separate several with commas")
              .as(list("queue")),
          is("kind", "http", "jobs of a kind; separate several with commas").as(list("kind")),
          is("label", "merchant=acme", "jobs with a label, as name=value").as(list("label")),
          is("subject", "acme", "jobs about a subject: the label chosen for that, or the host")
              .as(text("subject", IS)),
          is("destination", "shop.example", "deliveries to a host").as(text("destination", IS)),
          is("error", "timeout", "text in the last error").as(text("error", IS)),
          is("group", "0198a2c4-7c00-7a10-8000-5d2b8f1c0e11", "dead letters of a group, by its id")
              .as(text("errorGroup", IS)),
          is("key", "order-9981", "the job with a unique key").as(text("key", IS)),
          is("ordering", "order-9981", "jobs with an ordering key").as(text("orderingKey", IS)),
          is("payload", "9981", "text in the payload").as(text("payload", IS)),
          ordered("attempts", ABOVE, BELOW, "3", "by attempts so far")
              .as(new Parameter("attemptsGte", AT_LEAST, Form.NUMBER)),
          ordered("age", ABOVE, BELOW, "10m", "by time since the submit"),
          ordered("created", AT_LEAST, BELOW, "2027-01-31", "by day or instant of the submit")
              .as(text("createdAfter", AT_LEAST), text("createdBefore", BELOW)),
          ordered("due", BELOW, ABOVE, "10m", "waiting jobs, by time until they are due"),
          ordered("ended", BELOW, ABOVE, "1h", "by time since the end, or its day"));

  public QueryField {
    usual = List.copyOf(usual);
    parameters = List.copyOf(parameters);
  }

  private static Parameter list(String name) {
    return new Parameter(name, IS, Form.LIST);
  }

  private static Parameter text(String name, Comparison comparison) {
    return new Parameter(name, comparison, Form.TEXT);
  }

  private static QueryField is(String name, String example, String says) {
    return new QueryField(name, List.of(IS), example, says, List.of());
  }

  private static QueryField ordered(
      String name, Comparison one, Comparison other, String example, String says) {
    return new QueryField(name, List.of(one, other), example, says, List.of());
  }

  private QueryField as(Parameter... parameters) {
    return new QueryField(name, usual, example, says, List.of(parameters));
  }

  /** How tokens of it begin. */
  public List<String> starts() {
    return usual.stream().map(comparison -> name + comparison.sign()).toList();
  }
}
