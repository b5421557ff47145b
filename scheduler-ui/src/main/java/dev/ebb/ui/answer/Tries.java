package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A page of a job's attempts, oldest first. */
public record Tries(List<Try> items, @Nullable String nextCursor) {

  /**
   * An attempt.
   *
   * @param detail what its handler recorded; of a delivery the request and the response
   */
  public record Try(
      int number,
      String node,
      Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String outcome,
      Job.@Nullable Failure error,
      @Nullable JsonNode detail) {}

  /** The one that started last. */
  public Optional<Try> last() {
    return items.stream().max(Comparator.comparing(Try::startedAt));
  }
}
