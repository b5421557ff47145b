/**
 * What people do to jobs, each action in one statement over ids.
 *
 * <pre>
 *   JobActions       an action on one job, with its entry in the audit; and on many
 *     CancelJobs, RetryJobs, RescheduleJobs, HoldJobs, ReleaseJobs, PrioritizeJobs, PatchJobs
 *       AvailableJobs  what these do to live jobs, under the locks of their queues
 *     RedriveJobs, DiscardJobs, which are for dead letters
 *   Purge            cancels and discards what a queue has
 *   JobErasure       forgets a payload
 *   JobPlaces        where the jobs are that an action did not take
 * </pre>
 *
 * <p>No statement waits for a row that somebody else has locked. An action on one job waits for the
 * row and repeats the statement; an operation and a purge leave it for the next time.
 */
@NullMarked
package dev.ebb.db.action;

import org.jspecify.annotations.NullMarked;
