package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a destination does, as far as its attempts were counted.
 *
 * @param destination its name
 * @param asOf when this was so, by the database's clock
 * @param complete whether everything that was counted is in
 * @param circuit absent as long as its jobs do not wait for it
 * @param worseBy by how much its failing share of the last ten minutes exceeds that of the fifty
 *     before, at least; absent unless that is sure
 * @param lately its attempts of the last hour
 * @param usually those since the day began (UTC) seven days ago
 * @param p95 19 of 20 attempts of the last hour took no longer; absent without any
 * @param standing of its queue
 * @param day its last day
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DestinationHealth(
    String destination,
    Instant asOf,
    boolean complete,
    @Nullable Circuit circuit,
    @Nullable Double worseBy,
    FailingShare lately,
    FailingShare usually,
    @Nullable Duration p95,
    QueueStanding standing,
    LastDay day) {
  /**
   * The quarters of an hour of the last day, oldest first; the last one is not over.
   *
   * @param from when the first one begins
   * @param attempts that ended, for each quarter
   * @param failed those of them that failed
   */
  public record LastDay(Instant from, List<Long> attempts, List<Long> failed) {}
}
