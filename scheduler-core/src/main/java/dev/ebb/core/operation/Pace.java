package dev.ebb.core.operation;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many jobs an operation takes in which time. What it could not take for up to a second, it
 * takes afterwards.
 *
 * @param perSecond {@value #LEAST} to {@value #MOST}
 */
public record Pace(double perSecond) {
  private static final double LEAST = 0.001;
  private static final double MOST = 10_000;
  private static final Duration BURST = Duration.ofSeconds(1);
  private static final Pattern FORM = Pattern.compile("([0-9]{1,5}(?:\\.[0-9]{1,3})?)/(s|min|h)");
  private static final Map<String, Integer> SECONDS = Map.of("s", 1, "min", 60, "h", 3_600);

  public Pace {
    require(
        perSecond >= LEAST && perSecond <= MOST,
        "rate",
        "must be between 0.001 and 10000 a second");
  }

  /** What the text, such as {@code 50/s} or {@code 30/min}, says. */
  public static Pace parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new InvalidInput("rate", "must be a rate such as 50/s, 30/min or 100/h");
    }
    return new Pace(Double.parseDouble(parts.group(1)) / SECONDS.getOrDefault(parts.group(2), 1));
  }

  /**
   * How many jobs may be taken now.
   *
   * @param next when the next one may
   */
  public int permits(Instant next, Instant now, int most) {
    Instant from = from(next, now);
    if (from.isAfter(now)) {
      return 0;
    }
    double owed = seconds(Duration.between(from, now)) * perSecond;
    return (int) Math.min(most, 1 + Math.floor(owed));
  }

  /** When the next job may be taken after so many were. */
  public Instant next(Instant next, Instant now, int taken) {
    return from(next, now).plusNanos((long) (taken / perSecond * 1e9));
  }

  /** Beyond the pause between two jobs no next one was ever set: the clock was set back since. */
  private Instant from(Instant next, Instant now) {
    Instant earliest = now.minus(BURST);
    Instant latest = now.plusNanos((long) (1e9 / perSecond) + 1);
    if (next.isAfter(latest)) {
      return now;
    }
    return next.isBefore(earliest) ? earliest : next;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
