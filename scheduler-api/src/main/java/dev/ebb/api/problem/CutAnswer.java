package dev.ebb.api.problem;

import java.io.Serial;

/**
 * Ends an answer that was begun and cannot be finished: its connection breaks, so that nobody takes
 * it for whole.
 */
public final class CutAnswer extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public CutAnswer(Exception cause) {
    super(cause);
  }
}
