/**
 * Ends attempts: writes settlements of every kind, behind the fence. Also renews leases, and
 * rescues jobs whose leases expired.
 *
 * <pre>
 *   Settle ──▶ Complete        completed
 *      └─────▶ SettleOthers    back to the queue, to the dead letters, cancelled
 * </pre>
 */
@NullMarked
package dev.ebb.db.settle;

import org.jspecify.annotations.NullMarked;
