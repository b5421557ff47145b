package dev.ebb.bench;

/** A job ran too often or too seldom, or not in time. */
final class CheckFailed extends RuntimeException {
  CheckFailed(String message) {
    super(message);
  }
}
