/**
 * Runs jobs: claims them, executes their handlers, settles the outcomes, and renews the leases
 * meanwhile. {@link dev.ebb.worker.Worker} has the drawing.
 *
 * <pre>
 *   when to claim    Poller · ClaimLoop · ReadyQueues · SlowQueues · LimitedQueues · OwnRetries
 *   to claim         Claims
 *   to execute       JobExecutor · Execution · Slots · Handler · JobContext
 *   to settle        Settler · LockedOut · Throttles
 *   leases           Leases · LeaseRenewer · CancelWatch · Watchdog · Rescuer · DatabaseClock
 *   the node         NodeReporter · SettingsHash
 *   for all of them  Loop · Pause · FailureLog · Meters · WorkerConfig
 * </pre>
 *
 * <p>The handler of the kind {@code http} is in the package {@code http}.
 */
@NullMarked
package dev.ebb.worker;

import org.jspecify.annotations.NullMarked;
