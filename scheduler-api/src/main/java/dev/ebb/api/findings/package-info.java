/**
 * What is wrong now, from whatever the API knows, in one answer.
 *
 * <pre>
 *   nodes, paused queues, cut limiters ─┐
 *   counts of the last minutes          ├──▶ Findings ──▶ GET /v1/findings
 *   groups of dead letters              │    (the worst first)
 *   the database's own findings ────────┘
 * </pre>
 */
@NullMarked
package dev.ebb.api.findings;

import org.jspecify.annotations.NullMarked;
