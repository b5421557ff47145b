/**
 * The ends of attempts: settlements of any kind, behind the fence; with them the renewal of leases,
 * and the rescue of jobs whose leases expired.
 *
 * <pre>
 *   Settle ──▶ Complete        jobs that completed
 *      └─────▶ SettleOthers    back to the queue, to the dead letters, cancelled
 * </pre>
 */
@NullMarked
package dev.ebb.db.settle;

import org.jspecify.annotations.NullMarked;
