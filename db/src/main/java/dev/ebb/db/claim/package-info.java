/**
 * The verb claim: due jobs under a lease.
 *
 * <pre>
 *   WorkFinder         which queues have work?
 *   Claimer            the claims of one node, each from where the last one ended (ScanCursor)
 *      ├─▶ Claim         of a queue without limits: one round trip
 *      └─▶ LimitedClaim  asks the limiter first, then Claim
 * </pre>
 */
@NullMarked
package dev.ebb.db.claim;

import org.jspecify.annotations.NullMarked;
