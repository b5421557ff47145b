package dev.ebb.db.schedule;

import java.time.Instant;
import java.util.UUID;

/** What a run by hand came to. */
public sealed interface HandRun {

  /**
   * It fired.
   *
   * @param replayed whether by an earlier request with the same key
   */
  record Done(FireView fire, boolean replayed) implements HandRun {}

  /**
   * Overlap forbids it.
   *
   * @param waiting how many fires would have been before it
   */
  record Barred(int waiting) implements HandRun {}

  /** Nothing was fired: another transaction, which has not ended, uses the key. */
  record InFlight() implements HandRun {}

  /**
   * Nothing was fired: the key stands for another request.
   *
   * @param job which that one made
   */
  record KeyReused(Instant firstUsedAt, UUID job) implements HandRun {}
}
