/**
 * The resource {@code /v1/schedules}.
 *
 * <pre>
 *   body ──▶ ScheduleBodies ──▶ core's Schedule ──▶ db      answers: ScheduleResource, FireResource
 *               └─ job ──▶ jobs.JobTemplates                         FireTimesResource
 * </pre>
 */
@NullMarked
package dev.ebb.api.schedules;

import org.jspecify.annotations.NullMarked;
