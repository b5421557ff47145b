package dev.ebb.worker;

import dev.ebb.db.queue.QueueFigures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of the queues: a row for each queue whose figure is known, and none once it is old.
 */
final class ShownFigures {
  /** One of a queue's; {@code null} if it has none. */
  @FunctionalInterface
  private interface Figure {
    @Nullable Number of(QueueFigures queue);
  }

  private final Map<MultiGauge, Figure> gauges = new LinkedHashMap<>();
  private volatile Map<String, QueueFigures> figures = Map.of();
  private volatile long untilNanos = System.nanoTime();

  ShownFigures(MeterRegistry registry) {
    add(registry, "jobs", "Jobs of the queue that have not ended.", QueueFigures::jobs);
    add(
        registry,
        "due.jobs",
        "Due jobs of the queue that wait to be claimed, counted up to 10,000.",
        QueueFigures::due);
    add(registry, "running.jobs", "Running jobs of the queue.", QueueFigures::running);
    add(registry, "dead.letters", "Dead letters of the queue.", QueueFigures::deadLetters);
    add(registry, "paused", "Whether the queue is paused: 1 or 0.", queue -> flag(queue.paused()));
    add(
        registry,
        "circuit.open",
        "Whether the queue waits for its destination, whose circuit is not closed: 1 or 0.",
        queue -> flag(queue.circuitOpen()));
    add(
        registry,
        "oldest.due.seconds",
        "Age of the queue's oldest due job that waits to be claimed.",
        queue -> seconds(queue.oldestDue()));
    add(
        registry,
        "blocked.keys",
        "Ordering keys of the queue whose jobs wait for an earlier one, counted up to 1,000.",
        QueueFigures::blockedKeys);
    add(
        registry,
        "limiter.rate",
        "Jobs a second that the queue's limiter allows now, at full demand.",
        QueueFigures::rate);
    add(
        registry,
        "limiter.full.rate",
        "Jobs a second that the queue's limiter allows once warm, as configured.",
        QueueFigures::rateLimit);
  }

  private void add(MeterRegistry registry, String name, String description, Figure figure) {
    MultiGauge gauge =
        MultiGauge.builder("ebb.queue." + name)
            .description(description + " Of the whole cluster, shown by one node.")
            .register(registry);
    gauges.put(gauge, figure);
  }

  private static @Nullable Number flag(@Nullable Boolean flag) {
    return flag == null ? null : flag ? 1 : 0;
  }

  private static @Nullable Number seconds(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis() / 1000.0;
  }

  /** Shows these, until then by the monotonic clock. */
  synchronized void show(List<QueueFigures> now, long untilNanos) {
    this.untilNanos = untilNanos;
    this.figures =
        now.stream().collect(Collectors.toUnmodifiableMap(QueueFigures::queue, one -> one));
    rows();
    hideIfOver();
  }

  synchronized void hideIfOver() {
    if (isOver()) {
      hide();
    }
  }

  synchronized void hide() {
    untilNanos = System.nanoTime();
    figures = Map.of();
    rows();
  }

  private boolean isOver() {
    return System.nanoTime() - untilNanos >= 0;
  }

  private void rows() {
    gauges.forEach((gauge, figure) ->
        gauge.register(
            figures.values().stream()
                .filter(queue -> figure.of(queue) != null)
                .map(queue -> row(queue.queue(), figure))
                .toList()));
  }

  /** Reads the figure of the moment: the row outlives it. */
  private MultiGauge.Row<ShownFigures> row(String queue, Figure figure) {
    return MultiGauge.Row.of(Tags.of("queue", queue), this, shown -> shown.value(queue, figure));
  }

  private double value(String queue, Figure figure) {
    QueueFigures found = isOver() ? null : figures.get(queue);
    Number value = found == null ? null : figure.of(found);
    return value == null ? Double.NaN : value.doubleValue();
  }
}
