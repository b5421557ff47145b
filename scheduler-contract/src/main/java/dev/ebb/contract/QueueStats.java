package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was counted of a queue over time; steps in which nothing was are left out.
 *
 * @param queue the queue
 * @param kind absent for all of them together
 * @param step how much time a point stands for
 * @param from the beginning
 * @param to the end
 * @param asOf when this was so, or up to when it is complete
 * @param complete false where the newest is left out, because no worker has summed it up
 * @param exactSince absent if some nodes may not count what they do
 * @param points the steps, in the order of time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueStats(
    String queue,
    @Nullable String kind,
    String step,
    Instant from,
    Instant to,
    Instant asOf,
    boolean complete,
    @Nullable Instant exactSince,
    List<Point> points) {

  /**
   * A step, by when it begins.
   *
   * @param at when the step begins
   * @param counts what was counted, by name
   * @param waited absent if nothing started
   * @param ran absent if nothing completed or failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Point(
      Instant at, Map<String, Long> counts, @Nullable Lengths waited, @Nullable Lengths ran) {
    /**
     * The sum of counters over all steps.
     *
     * @param counters what was counted
     * @return the number
     */
    public long sum(String... counters) {
      return Stream.of(counters).mapToLong(one -> counts.getOrDefault(one, 0L)).sum();
    }
  }

  /** {@return how long a step is} */
  public Duration length() {
    return switch (step) {
      case "1m" -> Duration.ofMinutes(1);
      case "1h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }

  /** {@return every step that has begun, those in which nothing was counted as well} */
  public List<Point> steps() {
    Map<Instant, Point> known = points.stream().collect(Collectors.toMap(Point::at, one -> one));
    List<Point> steps = new ArrayList<>();
    for (Instant at = from; at.isBefore(to) && !at.isAfter(asOf); at = at.plus(length())) {
      steps.add(known.getOrDefault(at, new Point(at, Map.of(), null, null)));
    }
    return steps;
  }

  /**
   * Whether a step has not ended.
   *
   * @param step one of them
   * @return true if more may be counted in it
   */
  public boolean isForming(Point step) {
    return step.at().plus(length()).isAfter(asOf);
  }
}
