package dev.ebb.core;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What a piece of work takes of a processor, however many others share it. */
public final class CpuTime {
  private CpuTime() {}

  /** Runs it in the caller's thread. */
  public static Duration of(Runnable work) {
    long before = nanos();
    work.run();
    return Duration.ofNanos(nanos() - before);
  }

  private static long nanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
