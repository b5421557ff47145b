package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ordering keys of a queue of which jobs wait for another.
 *
 * @param queue the queue
 * @param asOf when this was so, by the database's clock
 * @param keys how many were found
 * @param exact whether all keys were looked at; otherwise the first 10,000 by name alone were, and
 *     there may be more
 * @param items of these those first of which the next job waits for longest, at most 100
 */
public record BlockedKeys(
    String queue, Instant asOf, int keys, boolean exact, List<BlockedKey> items) {

  /**
   * A key.
   *
   * @param key the ordering key
   * @param since when the next of those that wait would have started
   * @param until when the blocker lets them pass at the latest; absent for when it ends
   * @param waiting how many wait
   * @param exact whether those are all; otherwise there are more
   * @param blocker the job that keeps them
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record BlockedKey(
      String key,
      Instant since,
      @Nullable Instant until,
      int waiting,
      boolean exact,
      Job blocker) {}
}
