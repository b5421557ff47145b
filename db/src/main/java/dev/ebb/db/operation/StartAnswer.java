package dev.ebb.db.operation;

import java.time.Instant;
import java.util.UUID;

/** The answer to a request that starts an operation. */
public sealed interface StartAnswer {

  /**
   * The operation as it was when it began.
   *
   * @param replayed whether an earlier request with the same key started it
   */
  record Started(OperationView operation, boolean replayed) implements StartAnswer {}

  /** Nothing was started: another transaction, which has not ended, uses the key. */
  record InFlight() implements StartAnswer {}

  /**
   * Nothing was started: the key stands for another request.
   *
   * @param operation which that one started
   */
  record KeyReused(Instant firstUsedAt, UUID operation) implements StartAnswer {}
}
