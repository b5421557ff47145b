package dev.ebb.core;

/** The priority of a job: of those that are due, smaller ones run first. */
public final class Priority {
  public static final int MIN = 0;
  public static final int DEFAULT = 5;
  public static final int MAX = 9;

  private Priority() {}

  /** Throws {@link InvalidInput} on the field {@code priority} unless it is one. */
  public static void require(int priority) {
    InvalidInput.require(isOne(priority), "priority", "must be between " + MIN + " and " + MAX);
  }

  /** Whether the number is a priority. */
  public static boolean isOne(int number) {
    return number >= MIN && number <= MAX;
  }
}
