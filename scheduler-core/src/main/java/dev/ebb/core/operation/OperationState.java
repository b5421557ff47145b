package dev.ebb.core.operation;

import java.util.Locale;

/** What becomes of an operation. */
public enum OperationState {
  RUNNING,
  PAUSED,
  COMPLETED,
  CANCELLED;

  /** Whether it goes on no more. */
  public boolean isFinal() {
    return this == COMPLETED || this == CANCELLED;
  }

  /** The name in answers and SQL. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The state of that name. */
  public static OperationState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
