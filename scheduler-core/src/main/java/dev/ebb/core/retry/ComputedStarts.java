package dev.ebb.core.retry;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How many retries a job has started by a time, on average, if every attempt fails at once:
 * computed, for backoffs whose delays are uniform and do not depend on each other.
 *
 * <pre>
 *   chance of the next start by x  =  average, over u in [0, width], of this one's by x − u
 *
 *   1 ┤       ╭──      1 ┤         ╭──
 *     │     ╱            │       ╱          x counts from the earliest that the attempt can start,
 *     │   ╱         ──▶  │     ╱            so that what is certain in a delay shifts nothing here
 *   0 ┼─╱────▶ x       0 ┼──╯─────▶ x
 * </pre>
 *
 * <p>Between the points of a grid the chance counts as a straight line, whose average is exact.
 * Steps are even near the end of the grid, and grow from a fraction of a millisecond near its
 * beginning.
 */
final class ComputedStarts {
  private static final int EVEN_STEPS = 4096;
  private static final double GROWTH = 1.02;
  private static final double SHORTEST = 1e-4;
  private static final int EXACT_CORNERS = 60;

  private final double[] grid;
  private double[] chance;

  private ComputedStarts(double[] widths) {
    this.grid = grid(widths);
    this.chance = new double[grid.length];
    Arrays.fill(chance, 1);
  }

  /** Whether the delays of the backoff are of this sort. */
  static boolean canTell(Backoff backoff) {
    return backoff instanceof Backoff.Growing || backoff instanceof ListBackoff;
  }

  /**
   * The retries started by each of these times.
   *
   * @param seconds since the first attempt, in ascending order
   */
  static double[] by(double[] seconds, RetryPolicy policy, int priority, int maxAttempts) {
    double[] earliest = new double[maxAttempts - 1];
    double[] widths = new double[maxAttempts - 1];
    for (int n = 1; n < maxAttempts; n++) {
      Duration least = policy.earliest(priority, n);
      earliest[n - 1] = seconds(least);
      widths[n - 1] = seconds(policy.latest(priority, n).minus(least));
    }
    double deadline = seconds(StartBounds.deadline(policy));
    ComputedStarts starts = new ComputedStarts(widths);
    double[] started = new double[seconds.length];
    double first = 0;
    for (int n = 0; n < widths.length && first <= deadline; n++) {
      first += earliest[n];
      if (widths[n] > 0) {
        starts.delay(widths[n]);
      }
      starts.addTo(started, seconds, first, deadline);
    }
    return started;
  }

  static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }

  private static double[] grid(double[] widths) {
    double end = Arrays.stream(widths).sum();
    double even = end / EVEN_STEPS;
    DoubleStream steps = IntStream.rangeClosed(0, EVEN_STEPS).mapToDouble(i -> i * even);
    DoubleStream growing = DoubleStream.iterate(SHORTEST, at -> at < even, at -> at * GROWTH);
    return DoubleStream.concat(DoubleStream.concat(steps, growing), corners(widths))
        .sorted()
        .distinct()
        .toArray();
  }

  /** Where the curves of the first attempts have corners, which a straight line would cut. */
  private static DoubleStream corners(double[] widths) {
    double[] first = Arrays.copyOf(widths, Math.min(widths.length, EXACT_CORNERS));
    double[] sums = first.clone();
    Arrays.parallelPrefix(sums, Double::sum);
    return DoubleStream.concat(Arrays.stream(first), Arrays.stream(sums));
  }

  /** Lets every start wait for a delay from zero to the width. */
  private void delay(double width) {
    double[] area = areas();
    double[] next = new double[grid.length];
    int behind = 0;
    for (int i = 0; i < grid.length; i++) {
      double before = grid[i] - width;
      double taken = 0;
      if (before > 0) {
        while (grid[behind + 1] < before) {
          behind++;
        }
        taken = area[behind] + part(behind, before - grid[behind]);
      }
      next[i] = Math.clamp((area[i] - taken) / width, 0, 1);
    }
    chance = next;
  }

  /** The area under the curve from zero to each point. */
  private double[] areas() {
    double[] area = new double[grid.length];
    for (int i = 1; i < grid.length; i++) {
      area[i] = area[i - 1] + part(i - 1, grid[i] - grid[i - 1]);
    }
    return area;
  }

  /** The area under the first part of a step. */
  private double part(int step, double length) {
    double rise = (chance[step + 1] - chance[step]) / (grid[step + 1] - grid[step]);
    return length * (chance[step] + rise * length / 2);
  }

  private void addTo(double[] started, double[] seconds, double first, double deadline) {
    int step = 0;
    for (int i = 0; i < seconds.length; i++) {
      double at = Math.min(seconds[i], deadline) - first;
      if (at >= 0) {
        while (step + 1 < grid.length && grid[step + 1] <= at) {
          step++;
        }
        started[i] += at(step, at);
      }
    }
  }

  private double at(int step, double at) {
    if (step + 1 == grid.length) {
      return 1;
    }
    double share = (at - grid[step]) / (grid[step + 1] - grid[step]);
    return chance[step] + share * (chance[step + 1] - chance[step]);
  }
}
