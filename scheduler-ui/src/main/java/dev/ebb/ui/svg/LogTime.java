package dev.ebb.ui.svg;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis of time that begins at zero. */
final class LogTime {
  /** The axis shows no more than so many powers of e: where the first step is tiny, it begins. */
  private static final double MOST = 100_000;

  private static final String[] TICKS = {
    "PT0.01S",
    "10 ms",
    "PT0.1S",
    "100 ms",
    "PT1S",
    "1 s",
    "PT10S",
    "10 s",
    "PT1M",
    "1 min",
    "PT10M",
    "10 min",
    "PT1H",
    "1 h",
    "PT6H",
    "6 h",
    "P1D",
    "1 d",
    "P7D",
    "7 d",
    "P30D",
    "30 d",
    "P365D",
    "1 y",
    "P3650D",
    "10 y",
    "P36500D",
    "100 y",
    "P365000D",
    "1000 y"
  };

  private final double left;
  private final double width;
  private final double unit;
  private final double longest;

  /**
   * An axis.
   *
   * @param first the shortest time that should be told from zero
   * @param longest the time at its right end
   */
  LogTime(double left, double right, Duration first, Duration longest) {
    this.left = left;
    this.width = right - left;
    this.longest = Math.max(1e-3, seconds(longest));
    double wanted = seconds(first) / 3;
    this.unit = Math.clamp(wanted, this.longest / MOST, this.longest / 4);
  }

  /** A label and its place. */
  record Tick(double x, String label) {}

  private static double seconds(Duration length) {
    return length.getSeconds() + length.getNano() / 1e9;
  }

  /** Where the time is; what is outside is at an end. */
  double x(Duration time) {
    double share = Math.log1p(Math.max(0, seconds(time)) / unit) / Math.log1p(longest / unit);
    return left + width * Math.min(1, share);
  }

  /** Round times whose labels keep a distance from each other and from both ends. */
  List<Tick> ticks(double distance) {
    List<Tick> ticks = new ArrayList<>();
    double before = left;
    for (int i = 0; i < TICKS.length; i += 2) {
      Duration time = Duration.parse(TICKS[i]);
      double x = x(time);
      if (seconds(time) < longest && x - before >= distance && left + width - x >= distance / 2) {
        ticks.add(new Tick(x, TICKS[i + 1]));
        before = x;
      }
    }
    return ticks;
  }
}
