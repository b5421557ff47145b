package dev.ebb.core;

import java.io.Serial;
import java.time.Duration;

/** Input that breaks a rule: it names the field and the rule, and nothing was stored. */
public final class InvalidInput extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  /** The longest duration anywhere: ten years, which also fits a long of nanoseconds. */
  public static final Duration MAX_DURATION = Duration.ofDays(3650);

  private final String field;
  private final String rule;

  /**
   * @param field the field's path as the sender wrote it, for example {@code policy.base}
   * @param rule the rule that it broke, to be read after the field: "must be …"
   */
  public InvalidInput(String field, String rule) {
    super(field + " " + rule);
    this.field = field;
    this.rule = rule;
  }

  /** Throws unless the rule holds. */
  public static void require(boolean holds, String field, String rule) {
    if (!holds) {
      throw new InvalidInput(field, rule);
    }
  }

  /** Throws unless the duration lies between zero and ten years. */
  public static void requireDuration(Duration duration, String field) {
    requireBetween(duration, Duration.ZERO, MAX_DURATION, field);
  }

  /** Throws unless the duration lies between the two. */
  public static void requireBetween(
      Duration duration, Duration least, Duration most, String field) {
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw new InvalidInput(field, "must be between " + text(least) + " and " + text(most));
    }
  }

  /** Throws unless the number lies between the two. */
  public static void requireBetween(int number, int least, int most, String field) {
    require(number >= least && number <= most, field, "must be between " + least + " and " + most);
  }

  /** ISO-8601, and whole days as such. */
  private static String text(Duration duration) {
    long days = duration.toDays();
    boolean isDays = days > 0 && duration.equals(Duration.ofDays(days));
    return isDays ? "P" + days + "D" : duration.toString();
  }

  /** The same broken rule, seen from an object that holds this one's field under {@code parent}. */
  public InvalidInput under(String parent) {
    return new InvalidInput(parent + "." + field, rule);
  }

  public String field() {
    return field;
  }

  public String rule() {
    return rule;
  }
}
