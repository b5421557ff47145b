package dev.ebb.ui.page;

import dev.ebb.contract.QueueStats;
import dev.ebb.core.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was counted of some queues together, step by step. */
public final class Pulse {
  private final List<Beat> beats;

  private Pulse(List<Beat> beats) {
    this.beats = beats;
  }

  /**
   * A step.
   *
   * @param seconds how long it is
   * @param failed attempts that failed or were throttled
   * @param waited what nine of ten starts waited at most, in the queue where that is longest
   */
  public record Beat(
      Instant at, long seconds, long accepted, long completed, long failed, Duration waited) {
    private Beat plus(QueueStats.Point point) {
      Duration own = point.waited() == null ? Duration.ZERO : point.waited().p90();
      return new Beat(
          at,
          seconds,
          accepted + point.sum("submitted"),
          completed + point.sum("completed"),
          failed + point.sum("failed", "throttled"),
          Durations.max(own, waited));
    }

    public double acceptedRate() {
      return (double) accepted / seconds;
    }

    public double completedRate() {
      return (double) completed / seconds;
    }

    /** The share of attempts that failed. */
    public double failing() {
      long ended = completed + failed;
      return ended == 0 ? 0 : (double) failed / ended;
    }
  }

  /** The sum of the series, without the step that has not ended. */
  public static Pulse of(Collection<QueueStats> series, Duration step) {
    Map<Instant, Beat> beats = new TreeMap<>();
    for (QueueStats one : series) {
      for (QueueStats.Point point : one.steps()) {
        if (!one.isForming(point)) {
          Beat none = new Beat(point.at(), step.toSeconds(), 0, 0, 0, Duration.ZERO);
          beats.put(point.at(), beats.getOrDefault(point.at(), none).plus(point));
        }
      }
    }
    return new Pulse(new ArrayList<>(beats.values()));
  }

  /** The steps, oldest first. */
  public List<Beat> beats() {
    return beats;
  }

  /** Those in which something was counted, newest first. */
  public List<Beat> busy() {
    return beats.reversed().stream()
        .filter(beat -> beat.accepted() + beat.completed() + beat.failed() > 0)
        .toList();
  }
}
