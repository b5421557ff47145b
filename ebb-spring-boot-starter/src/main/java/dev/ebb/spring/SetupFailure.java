package dev.ebb.spring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Why the application cannot start as it is set up: one sentence, which says what to do. */
final class SetupFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  SetupFailure(String sentence) {
    this(sentence, null);
  }

  SetupFailure(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
