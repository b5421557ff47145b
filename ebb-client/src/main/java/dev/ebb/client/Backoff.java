package dev.ebb.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before a request is repeated: twice as long each time, with full jitter. */
final class Backoff {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 5_000;

  private int failures;

  /** The next pause, which is not shorter than the server asked for. */
  Duration next(Duration asked) {
    long most = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(failures++, 10));
    return asked.plusMillis(ThreadLocalRandom.current().nextLong(most / 10, most + 1));
  }

  void reset() {
    failures = 0;
  }
}
