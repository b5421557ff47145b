package dev.ebb.client;

import java.time.Duration;

/**
 * How long to wait for an answer.
 *
 * @param whole from the request to the end of the answer
 * @param body from the head of the answer to its end, within the whole
 */
record Patience(Duration whole, Duration body) {
  static Patience of(Duration whole) {
    return new Patience(whole, whole);
  }

  /** What is left for the body of an answer whose request was sent then. */
  long nanosForBody(long sent) {
    long left = sent + whole.toNanos() - System.nanoTime();
    return Math.min(left, body.toNanos());
  }
}
