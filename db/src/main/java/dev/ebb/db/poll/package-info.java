/**
 * Workers that poll over HTTP: their rows among the nodes, and the leases that they hold.
 *
 * <pre>
 *   poll    Pollers.seen ──▶ Claimer, with the poll's holder ──▶ PolledLeases.find
 *   renew   PolledLeases.renew
 *   settle  PolledSettle: the lease's jobs, Settlement.decide, db.settle
 * </pre>
 *
 * <p>Their jobs are claimed, fenced, settled and rescued as those of any node: only who may name a
 * lease is checked besides.
 */
@NullMarked
package dev.ebb.db.poll;

import org.jspecify.annotations.NullMarked;
