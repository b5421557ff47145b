/**
 * The verb claim: due jobs under a lease.
 *
 * <pre>
 *   WorkFinder         which queues have work?
 *   Claimer            the claims of one node, each from where the last one ended (QueueProgress)
 *      └─▶ Claim         some queues at once, in two round trips: Look, Part by Part, Take
 *            └─▶ Turn, Park   jobs with an ordering key: who may run, and who is out of the way
 * </pre>
 */
@NullMarked
package dev.ebb.db.claim;

import org.jspecify.annotations.NullMarked;
