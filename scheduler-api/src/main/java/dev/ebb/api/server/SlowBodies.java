package dev.ebb.api.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends connections whose request does not come to its end.
 *
 * <p>It knows no routes: a body that is read, one whose route refused it before, of which Tomcat
 * throws the rest away, and the lines around chunks are all the same to it. A body that is slow at
 * two looks in a row is too slow; at the first the request may just have been followed by another.
 */
final class SlowBodies {
  private static final long NONE = Long.MIN_VALUE;

  private final Map<GuardedProcessor, Long> slowNanos = new ConcurrentHashMap<>();

  void begin(GuardedProcessor request) {
    slowNanos.put(request, NONE);
  }

  void end(GuardedProcessor request) {
    slowNanos.remove(request);
  }

  /** Looks at all that are under way. */
  void endSlow(Duration time) {
    slowNanos.replaceAll((request, before) -> {
      long start = request.startNanos();
      if (!request.isSlow(time)) {
        return NONE;
      }
      if (before == start) {
        request.close();
      }
      return start;
    });
  }
}
