package dev.ebb.db.action;

/** The result of an operator's action. */
public enum ActionResult {
  /** It took effect. */
  DONE,
  /** The job is running: it was asked to stop. */
  REQUESTED,
  /** There is no such job. */
  NOT_FOUND,
  /** The job's state does not allow it. */
  WRONG_STATE,
  /** Another job holds its unique key. */
  UNIQUE_KEY_TAKEN,
  /** Its payload was erased. */
  PAYLOAD_ERASED
}
