package dev.ebb.db.settle;

/** The columns that a job's row keeps when it moves, for the insert and the select of the move. */
public final class KeptColumns {
  private static final String EVERYWHERE =
      """
      id, queue, kind, priority, created_at, unique_key, ordering_key, labels, payload_labels,
      destination, max_attempts\
      """;

  /** From the jobs to the history. */
  public static final String IN_HISTORY = EVERYWHERE + ", run_at";

  /** From the jobs to the dead letters, and back. */
  public static final String IN_DEAD_LETTER = EVERYWHERE + ", policy, timeout_millis, payload";

  private KeptColumns() {}
}
