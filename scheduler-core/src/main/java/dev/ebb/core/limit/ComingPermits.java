package dev.ebb.core.limit;

import dev.ebb.contract.Limiter;
import dev.ebb.contract.Limiter.Recovery;
import java.time.Duration;
import java.util.List;

/**
 * What full demand gets of a limiter from now on: its warm-up goes on, and a cut rate recovers.
 *
 * <p>Every forecast that depends on a queue's rate is made of this, so that no two contradict each
 * other. The rate never falls.
 */
public final class ComingPermits {
  /** Beyond this, nobody plans. */
  public static final double LONGEST_SECONDS = Duration.ofDays(3_650).toSeconds();

  private static final int HALVINGS = 80;
  private static final int PARTS = 16;

  private final WarmUpCurve curve;
  private final List<Recovery> recovery;

  private ComingPermits(WarmUpCurve curve, List<Recovery> recovery) {
    this.curve = curve;
    this.recovery = recovery;
  }

  /** Those of a limiter that has a limit, as the API shows it. */
  public static ComingPermits of(Limiter limiter) {
    List<Recovery> cut = limiter.recovery();
    return new ComingPermits(
        WarmUpCurve.of(limiter),
        cut == null || cut.isEmpty() ? List.of(new Recovery(0, limiter.share())) : cut);
  }

  /** Permits a second, so many seconds from now. */
  public double rate(double seconds) {
    return share(seconds) * curve.wholeRate(curve.position() + seconds);
  }

  /** The rate that it reaches in the end. */
  public double fullRate() {
    return rate(LONGEST_SECONDS);
  }

  /** The share of the configured rate that throttling leaves then. */
  private double share(double seconds) {
    for (int i = 1; i < recovery.size(); i++) {
      Recovery to = recovery.get(i);
      if (seconds < to.seconds()) {
        Recovery from = recovery.get(i - 1);
        double way = (seconds - from.seconds()) / (to.seconds() - from.seconds());
        return from.share() + way * (to.share() - from.share());
      }
    }
    return recovery.getLast().share();
  }

  /** How many permits until then. */
  public double permits(double seconds) {
    double permits = 0;
    for (int i = 1; i < recovery.size(); i++) {
      double from = recovery.get(i - 1).seconds();
      permits += rising(from, Math.min(recovery.get(i).seconds(), Math.max(from, seconds)));
    }
    double last = recovery.getLast().seconds();
    double since = Math.max(0, seconds - last);
    return permits + recovery.getLast().share() * (taken(last + since) - taken(last));
  }

  /** While the share rises evenly: in parts, by their middle share. */
  private double rising(double from, double to) {
    double permits = 0;
    double step = (to - from) / PARTS;
    for (int i = 0; i < PARTS; i++) {
      double at = from + i * step;
      permits += share(at + step / 2) * (taken(at + step) - taken(at));
    }
    return permits;
  }

  private double taken(double seconds) {
    return curve.wholePermits(curve.position() + seconds);
  }

  /** In how many seconds there will have been so many; infinite where that takes years. */
  public double seconds(double permits) {
    if (permits > permits(LONGEST_SECONDS)) {
      return Double.POSITIVE_INFINITY;
    }
    double less = 0;
    double enough = LONGEST_SECONDS;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (less + enough) / 2;
      if (permits(middle) < permits) {
        less = middle;
      } else {
        enough = middle;
      }
    }
    return enough;
  }
}
