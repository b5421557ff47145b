package dev.ebb.worker;

import java.time.Duration;

/** Ends attempts whose time is up or whose lease is gone; touches no database. */
final class Watchdog {
  private static final Duration EVERY = Duration.ofMillis(50);
  private static final Duration IDLE = Duration.ofMillis(250);

  /** How long a handler may go on after it was told to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Leases leases;
  private final JobExecutor executor;

  Watchdog(Leases leases, JobExecutor executor) {
    this.leases = leases;
    this.executor = executor;
  }

  /** Looks at every attempt once, and answers when to look again. */
  Duration step() {
    long now = System.nanoTime();
    for (Execution execution : executor.running()) {
      if (execution.isOverdue(now)) {
        execution.end(Execution.End.TIMEOUT);
      } else if (!leases.isSure(execution.fencingToken(), now)) {
        execution.end(Execution.End.LEASE_LOST);
      }
      if (execution.ignoresItsEnd(now, PATIENCE)) {
        executor.abandon(execution);
      }
    }
    return executor.running().isEmpty() ? IDLE : EVERY;
  }
}
