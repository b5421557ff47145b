package dev.ebb.db.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of destinations, the worst first.
 *
 * @param next behind which the next page begins; {@code null} at the end
 */
public record WorstPage(List<QueueView> destinations, @Nullable Trouble next) {
  record Row(QueueView destination, double degree) {}

  /** The first rows of those that were found, of which one more than fit may be there. */
  static WorstPage of(List<Row> found, int limit) {
    List<QueueView> shown = found.stream().limit(limit).map(Row::destination).toList();
    Row last = found.isEmpty() ? null : found.get(shown.size() - 1);
    return found.size() <= limit || last == null
        ? new WorstPage(shown, null)
        : new WorstPage(shown, new Trouble(last.degree, last.destination.name()));
  }
}
