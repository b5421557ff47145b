package dev.ebb.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The base class of this client's exceptions; each reason has a class of its own. */
public abstract class EbbException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  EbbException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** {@return whether the same may succeed later without a change} */
  public abstract boolean isRetryable();
}
