package com.google.common.util.concurrent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Guava's own limiters on a clock that the test sets; they can be had in their package only. */
public final class GuavaLimiter {
  private final Clock clock = new Clock();
  private final RateLimiter limiter;

  private static final class Clock extends RateLimiter.SleepingStopwatch {
    private long micros;

    @Override
    protected long readMicros() {
      return micros;
    }

    @Override
    protected void sleepMicrosUninterruptibly(long micros) {
      if (micros > 0) {
        throw new AssertionError("nobody sleeps here");
      }
    }
  }

  /** A period of zero has no warm-up limiter there: it is the one without stored permits. */
  public GuavaLimiter(double permitsPerSecond, Duration warmUp, double coldFactor) {
    if (warmUp.isZero()) {
      limiter = new SmoothRateLimiter.SmoothBursty(clock, 0);
      limiter.setRate(permitsPerSecond);
    } else {
      limiter =
          RateLimiter.create(
              permitsPerSecond, warmUp.toNanos() / 1000, TimeUnit.MICROSECONDS, coldFactor, clock);
    }
  }

  public boolean tryAcquire(long micros) {
    clock.micros = micros;
    return limiter.tryAcquire();
  }

  public void setRate(double permitsPerSecond) {
    limiter.setRate(permitsPerSecond);
  }
}
