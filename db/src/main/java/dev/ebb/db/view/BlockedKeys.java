package dev.ebb.db.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ordering keys of a queue of which jobs are parked behind another.
 *
 * @param asOf the database's clock
 * @param keys how many were found
 * @param exact whether all keys were looked at; otherwise the first ones by name alone were, and
 *     there may be more
 * @param longest those of them of which the next job waits for longest
 */
public record BlockedKeys(Instant asOf, int keys, boolean exact, List<BlockedKey> longest) {
  public BlockedKeys {
    longest = List.copyOf(longest);
  }

  /**
   * A key.
   *
   * @param since when the next of those that wait would have started
   * @param until when the first lets them pass at the latest; {@code null} for when it ends
   * @param waiting how many are parked
   * @param exact whether those are all; otherwise there are more
   * @param first the one that keeps them
   */
  public record BlockedKey(
      String key,
      Instant since,
      @Nullable Instant until,
      int waiting,
      boolean exact,
      JobView first) {}
}
