package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Overlap;

/** The line behind the last job of a schedule, in which its fires stand one after another. */
final class OverlapLine {
  /** How many may wait. */
  static final int MOST = 1_000;

  private final Overlap overlap;
  private boolean isRunning;
  private int waiting;

  /** A line as it is now: whether the last job has not ended, and how many wait for that. */
  OverlapLine(Overlap overlap, boolean isRunning, int waiting) {
    this.overlap = overlap;
    this.isRunning = isRunning;
    this.waiting = waiting;
  }

  /** Whether a job may be made now. */
  boolean isFree() {
    return overlap == Overlap.ALLOW || (!isRunning && waiting == 0);
  }

  /** What becomes of a fire that would make a job. */
  FireView.Result next() {
    if (isFree()) {
      isRunning = true;
      return FireView.Result.SUBMITTED;
    }
    if (overlap == Overlap.SKIP || waiting >= MOST) {
      return FireView.Result.OVERLAPPED;
    }
    waiting++;
    return FireView.Result.WAITING;
  }
}
