package dev.ebb.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** The measurements, by workload, system and figure. */
final class Medians {
  private final List<Measurement> measurements;

  Medians(List<Measurement> measurements) {
    this.measurements = measurements;
  }

  List<String> workloads() {
    return measurements.stream().map(Measurement::workload).distinct().toList();
  }

  /** The systems that did the workload, in the order in which they were measured. */
  List<String> entrants(String workload) {
    return measurements.stream()
        .filter(measurement -> measurement.workload().equals(workload))
        .map(Measurement::entrant)
        .distinct()
        .toList();
  }

  /** How many rounds every system did. */
  int rounds(String workload) {
    return entrants(workload).stream()
        .mapToInt(entrant -> of(workload, entrant).size())
        .min()
        .orElse(0);
  }

  List<Measurement> of(String workload, String entrant) {
    return measurements.stream()
        .filter(measurement -> measurement.workload().equals(workload))
        .filter(measurement -> measurement.entrant().equals(entrant))
        .toList();
  }

  /** Over the rounds that count; empty if none does. */
  Optional<Range> range(String workload, String entrant, Figure figure) {
    List<Double> values =
        of(workload, entrant).stream()
            .filter(measurement -> measurement.failure() == null)
            .map(measurement -> measurement.figures().get(figure))
            .filter(Objects::nonNull)
            .toList();
    return values.isEmpty() ? Optional.empty() : Optional.of(Range.of(values));
  }

  /**
   * One system's figure divided by the other's, round by round: the machine's speed may change
   * between the rounds.
   */
  Optional<Range> ratio(Case one, Case other, Figure figure) {
    List<Double> ratios = new ArrayList<>();
    for (Measurement first : of(one.workload(), one.entrant())) {
      for (Measurement second : of(other.workload(), other.entrant())) {
        Double a = first.figures().get(figure);
        Double b = second.figures().get(figure);
        boolean counts = first.failure() == null && second.failure() == null;
        if (counts && first.round() == second.round() && a != null && b != null) {
          ratios.add(a / b);
        }
      }
    }
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Range.of(ratios));
  }

  /** A workload done by a system. */
  record Case(String workload, String entrant) {}

  OptionalDouble median(String workload, String entrant, Figure figure) {
    return range(workload, entrant, figure).stream().mapToDouble(Range::median).findFirst();
  }

  boolean anyFailed(Case one) {
    return of(one.workload(), one.entrant()).stream()
        .anyMatch(measurement -> measurement.failure() != null);
  }
}
