package dev.ebb.bench.workload;

import java.io.IOException;

/** A job ran too often or too seldom, or not in time. */
final class CheckFailed extends RuntimeException {
  CheckFailed(String message) {
    super(message);
  }

  /** What is missing. */
  @FunctionalInterface
  interface Complaint {
    String text() throws IOException;
  }

  /** Throws once the deadline, by the monotonic clock, is over. */
  static void after(long deadline, Complaint complaint) throws IOException {
    if (System.nanoTime() > deadline) {
      throw new CheckFailed(complaint.text());
    }
  }
}
