/**
 * Fires schedules, by Quartz.
 *
 * <pre>
 *   ebb.schedule.next_fire_at ─upcoming─▶ Reconciler ─a trigger per instant─▶ Quartz's tables
 *          ▲                                   ▲                                     │ it is time
 *          │                                   └──────────── wakes ─────────────── FireJob
 *          │                                                                         │
 *          └───── Firing: marks, jobs and next times of all that is due, at once ◀───┘
 * </pre>
 *
 * <p>Ebb's rows say when a schedule fires, and the database's clock says when a fire is due. A
 * Quartz trigger only tells one node of the cluster to look: if it comes too early, twice or never,
 * no job is submitted twice and none is left out.
 */
@NullMarked
package dev.ebb.cron;

import org.jspecify.annotations.NullMarked;
