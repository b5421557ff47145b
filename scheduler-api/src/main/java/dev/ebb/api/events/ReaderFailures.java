package dev.ebb.api.events;

import dev.ebb.db.loop.FailureLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failures of the reader of events: counts each, logs the first and then one a minute, and
 * knows how long to pause.
 */
final class ReaderFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderFailures.class);
  private static final long SHORTEST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 2_000;
  private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

  private final MeterRegistry meters;
  private int inRow;
  private long toldNanos;

  ReaderFailures(MeterRegistry meters) {
    this.meters = meters;
  }

  /** How long to pause. */
  Duration failed(Throwable failure) {
    FailureLog.meter(meters, "events").increment();
    inRow++;
    long now = System.nanoTime();
    if (inRow == 1 || now - toldNanos >= AGAIN_NANOS) {
      toldNanos = now;
      LOG.warn("events: failed, trying again, for the {}. time: {}", inRow, failure.toString());
    }
    return Duration.ofMillis(Math.min(LONGEST_MILLIS, SHORTEST_MILLIS << Math.min(inRow - 1, 10)));
  }

  void recovered() {
    if (inRow > 0) {
      LOG.info("events: back after {} failed tries", inRow);
      inRow = 0;
    }
  }
}
