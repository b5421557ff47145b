package dev.ebb.core.query;

import java.util.List;

/**
 * A condition on one field of a job.
 *
 * @param field its name, empty for free words
 * @param values at least one
 * @param negated whether the opposite must hold
 */
public record Condition(String field, Comparison comparison, List<String> values, boolean negated) {
  /** How a field stands to a value. */
  public enum Comparison {
    IS(":"),
    AT_LEAST(">="),
    AT_MOST("<="),
    ABOVE(">"),
    BELOW("<"),
    EQUALS("=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }

    /** How the opposite of the one stands to the opposite of the other. */
    Comparison reversed() {
      return switch (this) {
        case AT_LEAST -> AT_MOST;
        case AT_MOST -> AT_LEAST;
        case ABOVE -> BELOW;
        case BELOW -> ABOVE;
        case IS, EQUALS -> this;
      };
    }
  }

  public Condition {
    values = List.copyOf(values);
  }

  /** The field is one of the values. */
  public static Condition is(String field, List<String> values) {
    return new Condition(field, Comparison.IS, values, false);
  }

  /** The field compares so with the value. */
  public static Condition of(String field, Comparison comparison, String value) {
    return new Condition(field, comparison, List.of(value), false);
  }

  String value() {
    return values.getFirst();
  }
}
