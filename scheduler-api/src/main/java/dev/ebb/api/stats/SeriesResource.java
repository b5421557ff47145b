package dev.ebb.api.stats;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Lengths;
import dev.ebb.contract.QueueStats;
import dev.ebb.core.stats.Histogram;
import dev.ebb.db.stats.Counts;
import dev.ebb.db.stats.Series;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Shows what was counted of a queue over time. */
final class SeriesResource {
  private SeriesResource() {}

  static QueueStats of(String queue, @Nullable String kind, Window window, Series series) {
    return new QueueStats(
        queue,
        kind,
        window.step().word(),
        window.from(),
        window.to(),
        Answer.shown(series.asOf()),
        series.complete(),
        Answer.shownOrNull(series.exactSince()),
        series.points().stream().map(SeriesResource::point).toList());
  }

  private static QueueStats.Point point(Series.Point point) {
    Counts counts = point.counts();
    return new QueueStats.Point(
        point.at(),
        CountsResource.of(counts),
        lengths(counts.waits(), counts.waitSum()),
        lengths(counts.runs(), counts.runSum()));
  }

  private static @Nullable Lengths lengths(Histogram lengths, Duration sum) {
    long total = lengths.total();
    return total == 0
        ? null
        : new Lengths(
            sum.dividedBy(total),
            quantile(lengths, 0.5),
            quantile(lengths, 0.9),
            quantile(lengths, 0.95),
            quantile(lengths, 0.99));
  }

  private static Duration quantile(Histogram lengths, double share) {
    return lengths.quantile(share).orElse(Duration.ZERO);
  }
}
