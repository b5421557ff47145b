/**
 * Why a job was late: the stretches of its time, and one sentence.
 *
 * <pre>
 *   submit ─scheduled─▶ due ─held, paused, slot, limiter─▶ start ─delivery─▶ end ─commit─▶ recorded
 *                        ▲                                                                   │
 *                        ├──────────────────────────backoff──────────────────────────────────┤
 *                        └────────────────redrive◀─────dead letter───────────────────────────┘
 * </pre>
 *
 * <p>The stretches follow one another from the submit to the end, or until now. They never overlap,
 * and they add up to the whole.
 */
@NullMarked
package dev.ebb.ui.late;

import org.jspecify.annotations.NullMarked;
