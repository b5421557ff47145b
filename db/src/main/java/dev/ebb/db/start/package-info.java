/**
 * A start in which nothing runs until people resume it.
 *
 * <pre>
 *   EBB_START=paused, ./ebb restored ──pause──▶ ebb.start ◀──resume── a button, ./ebb resume
 *                                                   │
 *                                     every two seconds, and when told
 *                                                   ▼
 *                       StartWatch of each node: no claim, no fire, no rescue,
 *                       no step of an operation, nothing old is removed
 * </pre>
 *
 * <p>{@link dev.ebb.db.start.Restoration} is what people do first with a database that was
 * restored.
 *
 * <p>A node that does not know yet counts as paused. What runs when a pause comes goes on to its
 * end.
 */
@NullMarked
package dev.ebb.db.start;

import org.jspecify.annotations.NullMarked;
