package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import java.util.EnumMap;
import java.util.Map;

/** Figures by name, in their order; what could not be measured is not among them. */
final class Figures {
  private Figures() {}

  static Map<Figure, Double> of(Map<Figure, Double> values) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.putAll(values);
    figures.values().removeIf(value -> value.isNaN());
    return figures;
  }
}
