/**
 * Groups dead letters with similar failures, by whose they are.
 *
 * <pre>
 *   dead letters without a group ──▶ Grouping, GroupRoom ──▶ ebb.error_group   behind the settles
 *                                   └─▶ DeadLetterNotices       tells people of them, seldom
 *   an erased dead letter ──▶ EmptyGroups                      forgets the group that it leaves
 *   people ──▶ GroupPages ──▶ GroupRows    lists, the largest first, by error, subject or both
 *                         └─▶ GroupReads   what groups are; GroupCounts: counts in windows
 * </pre>
 */
@NullMarked
package dev.ebb.db.errors;

import org.jspecify.annotations.NullMarked;
