package dev.ebb.worker.http;

import java.util.concurrent.TimeUnit;

/** How far an exchange had come when, in milliseconds from its start; -1 for what never was. */
final class ExchangeTimes {
  private static final long NEVER = -1;

  private final long startedNanos = System.nanoTime();
  private volatile long lookup = NEVER;
  private volatile long tcp = NEVER;
  private volatile long connect = NEVER;
  private volatile long head = NEVER;
  private volatile long end = NEVER;

  /** The addresses are known. */
  void lookedUp() {
    lookup = nanos();
  }

  /** TLS begins: the connection below it stands. */
  void securing() {
    tcp = nanos();
  }

  /** The connection stands. */
  void connected() {
    connect = nanos();
  }

  /** The answer's head is there. */
  void answered() {
    head = nanos();
  }

  /** It is over. */
  void ended() {
    end = nanos();
  }

  boolean isConnected() {
    return connect >= 0;
  }

  long lookup() {
    return millis(lookup);
  }

  long tcp() {
    return millis(tcp);
  }

  long connect() {
    return millis(connect);
  }

  long head() {
    return millis(head);
  }

  /** Until it was over, or until now. */
  long total() {
    return millis(end < 0 ? nanos() : end);
  }

  private long nanos() {
    return System.nanoTime() - startedNanos;
  }

  private static long millis(long nanos) {
    return nanos < 0 ? NEVER : TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
