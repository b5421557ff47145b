/**
 * Leases over HTTP: workers in any language poll for jobs, renew, and tell how they ended.
 *
 * <pre>
 *   POST /v1/leases ──▶ Poll ──waits──▶ Askers ──by kinds──▶ Asker ──for the first──▶ db.claim
 *                         ▲                 ▲                  │
 *                         └──── its lease ──┼──────────────────┘
 *                            NotificationListener: a queue has work, a worker is to drain
 * </pre>
 *
 * <p>No poll that waits holds a connection or a thread of the operating system. One asker claims
 * for all polls of its kinds, so that the locks of limiters are asked for by processes and not by
 * polls; each claim is for one poll, in the order in which they came.
 */
@NullMarked
package dev.ebb.api.leases;

import org.jspecify.annotations.NullMarked;
