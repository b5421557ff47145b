package dev.ebb.bench.machine;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Remembers the most heap that a garbage collection left in use. */
public final class PeakHeap {
  private static final double MEGABYTE = 1024.0 * 1024.0;

  private final AtomicLong bytes = new AtomicLong();

  private PeakHeap() {}

  public static PeakHeap watch() {
    PeakHeap peak = new PeakHeap();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(
            (notification, _) -> peak.collected(notification), null, null);
      }
    }
    return peak;
  }

  private void collected(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data) {
      long used =
          GarbageCollectionNotificationInfo.from(data)
              .getGcInfo()
              .getMemoryUsageAfterGc()
              .entrySet()
              .stream()
              .filter(pool -> isHeap(pool.getKey()))
              .map(java.util.Map.Entry::getValue)
              .mapToLong(MemoryUsage::getUsed)
              .sum();
      bytes.accumulateAndGet(used, Math::max);
    }
  }

  private static boolean isHeap(String pool) {
    return pool.contains("Eden")
        || pool.contains("Survivor")
        || pool.contains("Old")
        || pool.contains("Tenured");
  }

  public double megabytes() {
    return bytes.get() / MEGABYTE;
  }

  /** What is in use after a collection that it makes. */
  public static double usedMegabytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGABYTE;
  }
}
