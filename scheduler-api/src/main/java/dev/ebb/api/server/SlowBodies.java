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

  /** Serves requests one after another. */
  interface Service {
    /** Since when the request has been under way, by the monotonic clock. */
    long startNanos();

    /** Whether its body has taken longer than that since its head began, and goes on. */
    boolean isSlow(Duration time);

    /** Ends its connection. */
    void close();
  }

  private final Map<Service, Long> slowNanos = new ConcurrentHashMap<>();

  void begin(Service request) {
    slowNanos.put(request, NONE);
  }

  void end(Service request) {
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
