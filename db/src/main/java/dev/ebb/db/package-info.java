/**
 * Everything that Ebb asks of PostgreSQL: the schema, and every SQL statement, in plain JDBC.
 *
 * <pre>
 *   db ─────▶ submit, claim, settle,          a method for each verb
 *             action
 *   operation ─▶ action, view, queue, audit   actions on many jobs, a batch at a time
 *   action ─▶ settle, queue, audit            what people do to jobs
 *   settle ─▶ claim                           outcomes, renewals, rescues
 *   claim ──▶ queue                           due jobs under a lease
 *   queue ──▶ json, named, audit              settings, limiters, the queue lock
 *   named ──▶ json, audit                     retry policies; what kinds take as labels
 *   submit ─▶ json, notify                    new jobs
 *   view ───▶ json, stats                     what people see
 *   forecast ─▶ json                          which jobs become due
 *   access, node ─▶ audit                     tokens; nodes and their heartbeats
 *   errors ─▶ audit                           groups of dead letters
 *   event                                     what happened since, for those who listen
 *   json, notify, schema, audit               formats; NOTIFY; migrations, partitions; who did what
 *   settings ─▶ audit                         the settings of the whole cluster
 *   start ─▶ audit                            a start in which nothing runs until people resume it
 *   health ─▶ node, start, stats              what the server tells of its health
 *   stats ◀─ submit, claim, settle, action       what each verb counts, and what becomes of it
 *   trace ◀─ claim, settle                    the spans of jobs
 *   loop                                      what runs in the background, and its failures
 *   connection                                below all of them but json: pool, errors, parameters
 * </pre>
 *
 * <p>A job has no column for its state. Two things give the state: the table that holds the job's
 * row, and whether a lease names that row at its version. So each transition of {@link
 * dev.ebb.core.job.JobState} is a statement:
 *
 * <table>
 *   <caption>What writes a transition</caption>
 *   <tr><td>→ available<td>submit<td>{@code Submit}: insert
 *   <tr><td>available → running<td>claim<td>{@code Take}: insert a lease
 *   <tr><td>running → completed<td>settle<td>{@code Complete}: move the row to the history
 *   <tr><td>running → available<td>retry, snooze, give back<td>{@code SettleOthers.PUT_BACK}
 *   <tr><td>running → dead_letter<td>settle<td>{@code SettleOthers.DEAD_LETTER}: move the row
 *   <tr><td>running → cancelled<td>settle<td>{@code SettleOthers.CANCEL}: move the row
 *   <tr><td>running, its worker lost<td>rescue<td>{@code Rescue}, then the same statements
 *   <tr><td>available → cancelled<td>cancel, purge<td>{@code CancelJobs}: move the row
 *   <tr><td>running, to be cancelled<td>cancel<td>{@code CancelJobs}: a mark
 *   <tr><td>available, due now<td>retry now<td>{@code RetryJobs}: new version
 *   <tr><td>available, due at another time<td>reschedule<td>{@code RescheduleJobs}: new version
 *   <tr><td>available, earlier or later<td>set priority<td>{@code PrioritizeJobs}: new version
 *   <tr><td>available, out of the claims' way<td>hold<td>{@code HoldJobs}: new version
 *   <tr><td>available, due as before<td>release<td>{@code ReleaseJobs}: new version
 *   <tr><td>available or running, lets its key pass<td>skip<td>{@code SkipJobs}: a mark
 *   <tr><td>available, behind another of its key<td>claim<td>{@code Park}: new version
 *   <tr><td>available, its turn<td>the end of the one before it<td>the trigger {@code pass_turn}
 *   <tr><td>available, as another wants it<td>patch<td>{@code PatchJobs}: new version
 *   <tr><td>dead_letter → available<td>redrive<td>{@code RedriveJobs}: move the row
 *   <tr><td>dead_letter → cancelled<td>discard, purge<td>{@code DiscardJobs}: move the row
 * </table>
 *
 * <p>A new column of a job, which its sender gives and answers show, touches: {@code NewJob} and
 * the contract's {@code Job}; a migration, which also makes the views anew with the column at their
 * end if lists show it; {@code Submit}, {@code KeptColumns} and {@code JobView}; the API's {@code
 * JobResource} and {@code openapi.json}; and the page of a job. If people may change it, {@code
 * PatchJobs} and the API's {@code JobDocument} name it as well; if schedules have it, so do {@code
 * TemplateResource}, the contract's {@code NamedSchedule} and the dashboard's {@code ScheduleForm}.
 */
@NullMarked
package dev.ebb.db;

import org.jspecify.annotations.NullMarked;
