package dev.ebb.contract;

import java.time.Instant;
import java.util.List;

/**
 * A subject whose failing share rises.
 *
 * @param subject what it is
 * @param before in the fifty minutes before the last ten
 * @param now in the last ten minutes
 * @param slope the share now less the share before
 * @param slopeAtLeast the lower end of its interval of 95 %
 * @param points the minutes of the last hour in which attempts were counted, oldest first
 */
public record WorseningSubject(
    String subject,
    FailingShare before,
    FailingShare now,
    double slope,
    double slopeAtLeast,
    List<Point> points) {
  /**
   * A minute, by when it begins.
   *
   * @param at when the minute begins
   * @param attempts how many ended
   * @param failed how many of them failed
   */
  public record Point(Instant at, long attempts, long failed) {}
}
