package dev.ebb.db.queue;

/**
 * How bad it is with a destination.
 *
 * @param degree 2 if its circuit is not closed; else by how much its failing share rose, up to 1; 0
 *     for neither
 */
public record Trouble(double degree, String destination) {
  static final double FAILING = 2;

  /** Worse than any. */
  public static final Trouble FIRST = new Trouble(FAILING + 1, "");
}
