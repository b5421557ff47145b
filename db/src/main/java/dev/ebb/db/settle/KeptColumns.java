package dev.ebb.db.settle;

/** The columns that a job's row keeps when it moves, for the insert and the select of the move. */
public final class KeptColumns {
  private static final String EVERYWHERE =
      """
      id, queue, kind, priority, created_at, unique_key, ordering_key, labels, payload_labels,
      destination, max_attempts, follow_ups\
      """;

  /** From the jobs to the history. */
  public static final String IN_HISTORY = EVERYWHERE + ", run_at";

  /** From the jobs to the dead letters, and back. */
  public static final String IN_DEAD_LETTER =
      EVERYWHERE + ", policy, timeout_millis, payload, traceparent";

  /** A job that has ended keeps what became of its follow-ups, and no plans with payloads. */
  public static final String WITHOUT_PLANS =
      """
      follow_ups #- '{completed,job}' #- '{completed,resultPointer}'
          #- '{deadLetter,job}' #- '{deadLetter,resultPointer}'\
      """;

  /** From what did not complete to the history, for the select of the move. */
  public static final String TO_HISTORY = IN_HISTORY.replace("follow_ups", WITHOUT_PLANS);

  private KeptColumns() {}
}
