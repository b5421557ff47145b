/**
 * What happened since, for those who listen.
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
 * <p>While nobody listens, an event costs its statement a look at a row; a trigger that sees all
 * rows of a statement would copy each of them. To read the history itself would need an index on
 * it: 90 bytes of log for each job, and on every day's partition a lock of every read. Events are
 * not logged, because a crash of the server has readers begin anew: the numbers of its last
 * transactions may be given again. For the same reason a restored database forgets its events when
 * people confirm it.
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
