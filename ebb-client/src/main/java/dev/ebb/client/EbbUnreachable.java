package dev.ebb.client;

import java.io.Serial;

/** No usable answer came in time: it is not known whether the request was served. */
public final class EbbUnreachable extends EbbException {
  @Serial private static final long serialVersionUID = 1L;

  EbbUnreachable(String message, Throwable cause) {
    super(message, cause);
  }

  /** True; but a submit that is made again is another one, unless its job has a unique key. */
  @Override
  public boolean isRetryable() {
    return true;
  }
}
