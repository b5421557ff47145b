package dev.ebb.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before a request is repeated: twice as long each time, with full jitter. */
final class Backoff {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 5_000;

  /** However long a proxy asks to be left alone. */
  private static final Duration MOST_ASKED = Duration.ofSeconds(30);

  private int failures;

  /** The next pause, which is not shorter than what was asked for, up to 30 s. */
  Duration next(Duration asked) {
    long most = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(failures++, 10));
    Duration least = asked.compareTo(MOST_ASKED) < 0 ? asked : MOST_ASKED;
    return least.plusMillis(ThreadLocalRandom.current().nextLong(most / 10, most + 1));
  }

  /** How many there were since the last reset. */
  int failures() {
    return failures;
  }

  void reset() {
    failures = 0;
  }
}
