package dev.ebb.db.trace;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls OpenTelemetry, whose parts may be the application's own, or of another version, and throw
 * whatever they like. No job may depend on that, so everything that is thrown ends here.
 */
final class Quietly {
  private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);
  private static final long AGAIN_NANOS = Duration.ofHours(1).toNanos();
  private static final Map<String, Long> TOLD = new ConcurrentHashMap<>();

  private Quietly() {}

  /** The value, or the other one if there is none. */
  static <T> T get(Supplier<? extends T> value, T otherwise) {
    try {
      T given = value.get();
      return given == null ? otherwise : given;
    } catch (Throwable e) {
      tell(e);
      return otherwise;
    }
  }

  static void run(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      tell(e);
    }
  }

  private static void tell(Throwable why) {
    try {
      if (isNews(why.getClass().getName(), System.nanoTime())) {
        LOG.warn("spans are missing: OpenTelemetry failed", why);
      }
    } catch (Throwable _) {
      // It cannot even be told.
    }
  }

  /** Once an hour of each kind: it may be so of each job. */
  static boolean isNews(String kind, long nowNanos) {
    Long before = TOLD.putIfAbsent(kind, nowNanos);
    return before == null
        || (nowNanos - before >= AGAIN_NANOS && TOLD.replace(kind, before, nowNanos));
  }
}
