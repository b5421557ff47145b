package dev.ebb.client;

/** Why an attempt has to end before its handler has. */
public enum Stop {
  /** Somebody asked to stop the job. */
  CANCELLED,
  /** The time of the attempt is over. */
  TIMEOUT,
  /** Its lease is lost: another worker may run the job, and nothing is told of this attempt. */
  LOST,
  /** This worker closes, and the job did not end in time. */
  CLOSING
}
