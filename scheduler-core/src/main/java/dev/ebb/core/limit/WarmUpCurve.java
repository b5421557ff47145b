package dev.ebb.core.limit;

import dev.ebb.contract.Limiter;
import dev.ebb.contract.Limiter.Point;
import java.util.List;

/**
 * A queue's warm-up curve, as the API tells its points, and where the limiter is on it.
 *
 * <p>On the ramp the interval between permits falls evenly with each permit, so its square falls
 * evenly with time: what lies between two points follows from them exactly. A cut of the rate
 * scales rates and permits, and leaves the times as they are.
 */
public final class WarmUpCurve {
  private final List<Point> points;
  private final double share;
  private final double position;

  private WarmUpCurve(List<Point> points, double share, double taken) {
    this.points = points;
    this.share = share;
    this.position = secondsOf(taken);
  }

  /** The curve of a limiter that has a limit. */
  public static WarmUpCurve of(Limiter limiter) {
    double share = limiter.share();
    double taken = (limiter.maxPermits() - limiter.storedPermits()) / share;
    return new WarmUpCurve(limiter.curve(), share, taken);
  }

  /** Where the limiter is: seconds of full demand since it was cold. */
  public double position() {
    return position;
  }

  /** How far the points reach. */
  public double length() {
    return points.getLast().seconds();
  }

  /** Permits a second when warm, at what a cut leaves now. */
  public double fullRate() {
    return share * points.getLast().rate();
  }

  /** Permits a second, this long after it was cold, at what a cut leaves now. */
  public double rate(double seconds) {
    return share * wholeRate(seconds);
  }

  /** The same without the cut. */
  double wholeRate(double seconds) {
    int after = indexAfter(seconds);
    return after < 0 ? points.getLast().rate() : 1 / interval(after, seconds);
  }

  /** How many permits full demand got until then, at what a cut leaves now. */
  public double permits(double seconds) {
    return share * wholePermits(seconds);
  }

  /** The same without the cut. */
  double wholePermits(double seconds) {
    int after = indexAfter(seconds);
    Point last = points.getLast();
    return after < 0
        ? last.permits() + (seconds - last.seconds()) * last.rate()
        : permits(after, seconds);
  }

  private double permits(int after, double seconds) {
    Point from = points.get(after - 1);
    Point to = points.get(after);
    double cold = 1 / from.rate();
    double warm = 1 / to.rate();
    double way =
        cold == warm
            ? (seconds - from.seconds()) / (to.seconds() - from.seconds())
            : (cold - interval(after, seconds)) / (cold - warm);
    return from.permits() + way * (to.permits() - from.permits());
  }

  private double interval(int after, double seconds) {
    Point from = points.get(after - 1);
    Point to = points.get(after);
    double way = (seconds - from.seconds()) / (to.seconds() - from.seconds());
    double cold = 1 / (from.rate() * from.rate());
    double warm = 1 / (to.rate() * to.rate());
    return Math.sqrt(cold + way * (warm - cold));
  }

  /** The place of the first point after it; negative behind the last. */
  private int indexAfter(double seconds) {
    for (int i = 1; i < points.size(); i++) {
      if (points.get(i).seconds() > seconds) {
        return i;
      }
    }
    return -1;
  }

  /** The inverse of the permits at the configured rate. */
  private double secondsOf(double taken) {
    for (int i = 1; i < points.size(); i++) {
      Point to = points.get(i);
      if (to.permits() > taken) {
        Point from = points.get(i - 1);
        double way = Math.max(0, taken - from.permits()) / (to.permits() - from.permits());
        double cold = 1 / from.rate();
        double warm = 1 / to.rate();
        double now = cold + way * (warm - cold);
        double passed =
            cold == warm ? way : (cold * cold - now * now) / (cold * cold - warm * warm);
        return from.seconds() + passed * (to.seconds() - from.seconds());
      }
    }
    return length();
  }
}
