package dev.ebb.api.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.stats.Histogram;
import dev.ebb.db.stats.Counts;
import dev.ebb.db.stats.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was counted of a queue over time, as answers show it.
 *
 * @param kind absent for all of them together
 * @param exactSince absent if some nodes may not count what they do
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SeriesResource(
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
   * A step.
   *
   * @param waited absent if nothing started
   * @param ran absent if nothing completed or failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Point(
      Instant at, Map<String, Long> counts, @Nullable Lengths waited, @Nullable Lengths ran) {

    static Point of(Series.Point point) {
      Counts counts = point.counts();
      return new Point(
          point.at(),
          CountsResource.of(counts),
          Lengths.of(counts.waits(), counts.waitSum()),
          Lengths.of(counts.runs(), counts.runSum()));
    }
  }

  /** Lengths of time: their mean, and estimates of which share was no longer than what. */
  record Lengths(String mean, String p50, String p90, String p99) {
    static @Nullable Lengths of(Histogram lengths, Duration sum) {
      long total = lengths.total();
      return total == 0
          ? null
          : new Lengths(
              sum.dividedBy(total).toString(),
              quantile(lengths, 0.5),
              quantile(lengths, 0.9),
              quantile(lengths, 0.99));
    }

    private static String quantile(Histogram lengths, double share) {
      return lengths.quantile(share).orElse(Duration.ZERO).toString();
    }
  }

  static SeriesResource of(String queue, @Nullable String kind, Window window, Series series) {
    return new SeriesResource(
        queue,
        kind,
        window.step().word(),
        window.from(),
        window.to(),
        Answer.shown(series.asOf()),
        series.complete(),
        Answer.shownOrNull(series.exactSince()),
        series.points().stream().map(Point::of).toList());
  }
}
