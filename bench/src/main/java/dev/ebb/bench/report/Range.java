package dev.ebb.bench.report;

import java.util.List;
import java.util.Locale;

/** A figure over all rounds. */
record Range(double median, double min, double max) {

  static Range of(List<Double> values) {
    return new Range(
        Stats.median(values),
        values.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
        values.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
  }

  /** The median, and where the rounds differ what they lie between. */
  String text(int decimals) {
    String low = number(min, decimals);
    String high = number(max, decimals);
    String middle = number(median, decimals);
    return low.equals(high) ? middle : middle + " (" + low + "–" + high + ")";
  }

  static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
