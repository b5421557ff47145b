package dev.ebb.client;

import java.io.Serial;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A job that breaks a rule: it names the field and the rule, and nothing was stored.
 *
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // It is allowed on a class.
public final class InvalidJob extends EbbException {
  @Serial private static final long serialVersionUID = 1L;

  private final String field;
  private final String rule;
  private final @Nullable Integer place;

  InvalidJob(String field, String rule) {
    this(field, rule, null, null);
  }

  InvalidJob(String field, String rule, @Nullable Integer place, @Nullable Throwable cause) {
    super(field + " " + rule, cause);
    this.field = field;
    this.rule = rule;
    this.place = place;
  }

  /** Throws unless the rule holds. */
  static void require(boolean holds, String field, String rule) {
    if (!holds) {
      throw new InvalidJob(field, rule);
    }
  }

  /** The same of a job among several. */
  InvalidJob at(int ofList) {
    return new InvalidJob(field, rule, ofList, this);
  }

  /** {@return the field, for example {@code labels.order}} */
  public String field() {
    return field;
  }

  /** {@return the rule that it broke, to be read after the field: "must be …"} */
  public String rule() {
    return rule;
  }

  /**
   * {@return the job's place, from 0, among those that were submitted together; empty for a job
   * that was submitted alone, or if the database does not tell it}
   */
  public OptionalInt place() {
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  /** False: the same job breaks the same rule. */
  @Override
  public boolean isRetryable() {
    return false;
  }
}
