/**
 * Events, for the API's streams.
 *
 * <pre>
 *   a reader ──▶ EventLog.listen ──▶ ebb.listening        until 70 minutes from now
 *                                          │ is that past?
 *   settle ────────────────────────────────┤
 *   cancel, … ──▶ history, audit ──trigger─┴──no──▶ nothing is written
 *                                              │
 *                                              └─▶ ebb.event: unlogged, a ring of three hours
 *                                                     │
 *   EventPosition ──▶ EventLog.after ─────────────────┴─▶ EventBatch, the next EventPosition
 *
 *   a position is a snapshot:   1 2 3 4 5 6 7 8 │ 9 …       next = 9
 *                                   ▲   ▲                   running = 3, 5
 *   the next read takes the events of 3, 5, and of 9 and above that are committed by then
 * </pre>
 *
 * <p>Without listeners, an event costs its statement one read of a row; a trigger that sees all
 * rows of a statement would copy each of them. Reading the history instead would need an index on
 * it: 90 bytes of log for each job, and a lock on every day's partition for each read. The tables
 * are unlogged, because readers start over after a crash of the server anyway: it may reuse the
 * numbers of its last transactions. For the same reason, confirming a restored database deletes its
 * events.
 *
 * <p>A transaction that commits late is in {@code running} of every position until it has, so its
 * events are neither missed nor told twice, and no window of time is read again and again. What was
 * under way when the first reader came is told only in part: {@link
 * dev.ebb.db.event.EventPosition#isPast} says when that is over.
 *
 * <p>Submits and claims are no events: a job's begin with its first attempt, or with what people do
 * to it.
 */
@NullMarked
package dev.ebb.db.event;

import org.jspecify.annotations.NullMarked;
