package dev.ebb.api.system;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the process that the API is a part of knows of itself: its probes tell it. */
public interface ProcessState {
  /** Whether the rest of it has started, which it stays. */
  boolean isStarted();

  /** Why it can do no work although it has started, for people; {@code null} if it can. */
  @Nullable String trouble();

  /** Of a process that has no trouble of its own. */
  static ProcessState of(BooleanSupplier started) {
    return new ProcessState() {
      @Override
      public boolean isStarted() {
        return started.getAsBoolean();
      }

      @Override
      public @Nullable String trouble() {
        return null;
      }
    };
  }
}
