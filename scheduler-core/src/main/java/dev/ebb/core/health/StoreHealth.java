package dev.ebb.core.health;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of the writes of a process.
 *
 * @param refused {@code null} if they are stored
 */
public record StoreHealth(@Nullable Refused refused) {
  /**
   * Why they are not.
   *
   * @param why as a clause
   * @param state the SQLSTATE; empty where there is none
   */
  public record Refused(Instant since, String why, String state) {}
}
