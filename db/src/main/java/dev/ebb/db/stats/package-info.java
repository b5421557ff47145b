/**
 * Statistics from counters that are maintained with the transactions they count.
 *
 * <pre>
 *   submit, claim, settle, cancel, redrive, purge …
 *      │ a row or few, with what they do
 *      ▼
 *   ebb.tally ──Fold──▶ ebb.stat, by minute, hour and day; ebb.stat_queue
 *      │                   │
 *      └──▶ StatReads ◀────┘   what is folded, and what is not yet
 *           OverviewReads
 * </pre>
 *
 * <p>Subjects are many and of no account after an hour. Each node counts in memory what it settles
 * for them, and writes that every few seconds: {@code SubjectStats}, {@code SubjectReads}.
 */
@NullMarked
package dev.ebb.db.stats;

import org.jspecify.annotations.NullMarked;
