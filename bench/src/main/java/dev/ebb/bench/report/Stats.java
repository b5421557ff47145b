package dev.ebb.bench.report;

import java.util.List;

/** Means, medians and percentiles. */
public final class Stats {
  private Stats() {}

  public static double mean(List<? extends Number> values) {
    return values.stream().mapToDouble(Number::doubleValue).average().orElseThrow();
  }

  /** The middle value, or the mean of the two in the middle. */
  public static double median(List<? extends Number> values) {
    double[] sorted = sorted(values);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The smallest value that is not exceeded by less than the share of all, 0 to 1. */
  public static double percentile(List<? extends Number> values, double share) {
    double[] sorted = sorted(values);
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }

  private static double[] sorted(List<? extends Number> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    return values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
  }
}
