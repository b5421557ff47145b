/**
 * A paused start, in which nothing runs until someone resumes it.
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
 * <p>{@link dev.ebb.db.start.Restoration} is the first step with a restored database.
 *
 * <p>A node that has not read the state yet counts as paused. Work in progress when a pause begins
 * is finished.
 */
@NullMarked
package dev.ebb.db.start;

import org.jspecify.annotations.NullMarked;
