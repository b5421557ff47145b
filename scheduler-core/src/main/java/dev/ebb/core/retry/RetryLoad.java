package dev.ebb.core.retry;

import dev.ebb.core.Priority;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The load that jobs which fail together put on their receiver if every attempt fails at once, as
 * an average per job. All times count from when they failed first.
 *
 * @param points in the order of time, closest where much happens
 * @param peak the second in which most of them start an attempt
 * @param computed false where each delay depends on the last, or they come in slots: then it is
 *     counted among {@value #JOBS} simulated jobs, always the same ones, fewer where they have more
 *     than a hundred attempts
 */
public record RetryLoad(List<Point> points, Point peak, boolean computed) {
  static final int JOBS = 10_000;
  private static final int MAX_DRAWS = 1_000_000;
  private static final int STEPS = 160;
  private static final int CORNERS = 40;

  /** Starts at the very instant count as those behind it. */
  private static final double INSTANT = 1e-6;

  /**
   * A second.
   *
   * @param at when it begins
   * @param attempts that a job has started before it, the first one counted
   * @param starts of attempts in it, by each job
   */
  public record Point(Duration at, double attempts, double starts) {}

  public RetryLoad {
    points = List.copyOf(points);
  }

  /**
   * The load by jobs of a policy, in at most a million draws.
   *
   * @param priority {@value Priority#MIN} to {@value Priority#MAX}
   * @param maxAttempts their budget, 1 to {@value RetryPolicy#MAX_ATTEMPTS}
   */
  public static RetryLoad of(RetryPolicy policy, int priority, int maxAttempts) {
    Priority.require(priority);
    RetryPolicy.requireMaxAttempts(maxAttempts);
    boolean computed = ComputedStarts.canTell(policy.backoff());
    double[] seconds = seconds(StartBounds.of(policy, priority, maxAttempts), maxAttempts);
    double[] bounds =
        DoubleStream.concat(Arrays.stream(seconds), Arrays.stream(seconds).map(at -> at + 1))
            .map(at -> at - INSTANT)
            .sorted()
            .distinct()
            .toArray();
    double[] started =
        computed
            ? ComputedStarts.by(bounds, policy, priority, maxAttempts)
            : simulated(bounds, policy, priority, maxAttempts);
    List<Point> points = Arrays.stream(seconds).mapToObj(at -> point(at, bounds, started)).toList();
    Point peak = points.stream().max(Comparator.comparingDouble(Point::starts)).orElseThrow();
    return new RetryLoad(points, peak, computed);
  }

  private static Point point(double at, double[] bounds, double[] started) {
    double before = started[Arrays.binarySearch(bounds, at - INSTANT)];
    double after = started[Arrays.binarySearch(bounds, at + 1 - INSTANT)];
    Duration begin = Duration.ofNanos(Math.round(at * 1e9));
    return new Point(begin, 1 + before, Math.max(0, after - before));
  }

  /** Even on a scale of logarithms, and around the bounds of the first attempts' starts. */
  private static double[] seconds(StartBounds bounds, int maxAttempts) {
    double end = Math.max(1, ComputedStarts.seconds(bounds.lastGiveUp()));
    double growth = Math.pow(end + 1, 1.0 / STEPS);
    DoubleStream even = IntStream.rangeClosed(0, STEPS).mapToDouble(i -> Math.pow(growth, i) - 1);
    DoubleStream corners =
        IntStream.rangeClosed(2, Math.min(maxAttempts, CORNERS))
            .mapToObj(n -> List.of(bounds.earliest(n), bounds.latest(n)))
            .flatMap(List::stream)
            .mapToDouble(ComputedStarts::seconds)
            .flatMap(at -> DoubleStream.of(at - 1, at, at + 1));
    return DoubleStream.concat(even, corners)
        .filter(at -> at >= 0 && at <= end + 1)
        .map(at -> Math.rint(at * 1e3) / 1e3)
        .sorted()
        .distinct()
        .toArray();
  }

  private static double[] simulated(
      double[] bounds, RetryPolicy policy, int priority, int maxAttempts) {
    int jobs = Math.min(JOBS, MAX_DRAWS / maxAttempts);
    SplittableRandom random = SimulatedJobs.random();
    SimulatedJobs simulated = new SimulatedJobs(jobs);
    double[] started = new double[bounds.length];
    for (int n = 1; n < maxAttempts && simulated.size() > 0; n++) {
      Strata strata = new Strata(simulated.size(), random);
      simulated.fail(policy.draw(priority, n), StartBounds.deadline(policy), strata);
      double[] starts =
          Arrays.stream(simulated.starts()).mapToDouble(ComputedStarts::seconds).sorted().toArray();
      int before = 0;
      for (int i = 0; i < bounds.length; i++) {
        while (before < starts.length && starts[before] <= bounds[i]) {
          before++;
        }
        started[i] += (double) before / jobs;
      }
    }
    return started;
  }
}
