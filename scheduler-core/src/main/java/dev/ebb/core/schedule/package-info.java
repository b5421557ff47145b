/**
 * Decides when a schedule fires, and which of the fires that are due become jobs.
 *
 * <pre>
 *   text ──▶ CronReader ──▶ Cron ─────▶ CronFires ──────┐
 *                           local times  gap, overlap   ├▶ FireTimes ──▶ DueFires ──▶ jobAt
 *            interval ─────────────────▶ IntervalFires ─┘  start, end    misfires
 *                                        instants
 *
 *   the clocks go forward: a gap         the clocks go back: an overlap
 *
 *   01:30    02:00 = 03:00   03:30       02:30    03:00 = 02:00   02:30    03:00
 *   ──┬────────────┬───────────┬──▶      ──┬────────────┬───────────┬────────┬──▶
 *   fires    one fire for    fires       fires       no fire     no fire   fires
 *            02:00, 02:30
 *            and 03:00
 * </pre>
 *
 * <p>A local time fires at the instant at which the clocks of the zone show it for the first time.
 * A time that they skip fires at the first instant after the gap; times that come at one instant
 * are one fire. Intervals count elapsed time and ignore clock changes.
 */
@NullMarked
package dev.ebb.core.schedule;

import org.jspecify.annotations.NullMarked;
