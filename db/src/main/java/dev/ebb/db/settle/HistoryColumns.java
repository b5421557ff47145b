package dev.ebb.db.settle;

/** The columns of the history that are a job's own, for the statements that end a job. */
public final class HistoryColumns {
  /** Of the insert and of the select that feeds it, before those of the last attempt. */
  public static final String OF_THE_JOB =
      "id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts";

  private HistoryColumns() {}
}
