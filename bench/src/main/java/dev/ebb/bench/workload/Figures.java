package dev.ebb.bench.workload;

import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Figures by name, in their order; what could not be measured is not among them. */
final class Figures {
  private Figures() {}

  /** The percentiles of samples in microseconds. */
  static Map<Figure, Double> percentiles(List<Integer> micros) {
    return Map.of(
        Figure.P50, Stats.percentile(micros, 0.50) / 1000,
        Figure.P95, Stats.percentile(micros, 0.95) / 1000,
        Figure.P99, Stats.percentile(micros, 0.99) / 1000);
  }

  /** How the last ones compare to the first, in microseconds. */
  static Map<Figure, Double> growth(double first, double last) {
    return of(
        Map.of(
            Figure.FIRST, first / 1000,
            Figure.LAST, last / 1000,
            Figure.GROWTH, last / first));
  }

  static Map<Figure, Double> of(Map<Figure, Double> values) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.putAll(values);
    figures.values().removeIf(value -> value.isNaN());
    return figures;
  }
}
