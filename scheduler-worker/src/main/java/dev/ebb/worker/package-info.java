/**
 * Runs jobs: claims them, executes their handlers, settles the outcomes, and renews the leases
 * meanwhile. {@link dev.ebb.worker.Worker} has the drawing.
 *
 * <pre>
 *   when to claim    Poller · ClaimLoop · ReadyQueues · SlowQueues · LimitedQueues · LaterClaims
 *   to claim         Claims
 *   to execute       JobExecutor · Attempts · Execution · Slots · Handler · JobContext
 *   to settle        Settler · LockedOut · QueueNews: Throttles, Votes
 *   its end          JobDrain · KeepAlive
 *   leases           Leases · LeaseRenewer · CancelWatch · Watchdog · Rescuer
 *   the node         Presence, also of one that runs no worker · NodeReporter · SettingsHash
 *   beside jobs      Housekeeping · Operator · StatsFolder · SubjectCounter
 *   for all of them  Meters · WorkerConfig; Loop, Pause and FailureLog are in db
 * </pre>
 *
 * <p>The handler of the kind {@code http} is in the package {@code http}.
 */
@NullMarked
package dev.ebb.worker;

import org.jspecify.annotations.NullMarked;
