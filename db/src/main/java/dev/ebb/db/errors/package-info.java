/**
 * Groups dead letters with similar failures.
 *
 * <pre>
 *   dead letters without a group ──▶ Grouping ──▶ ebb.error_group     behind the settles
 *   people ──▶ GroupReads, GroupCounts                                lists, counts in windows
 * </pre>
 */
@NullMarked
package dev.ebb.db.errors;

import org.jspecify.annotations.NullMarked;
