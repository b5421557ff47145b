/**
 * The audit: who did what, why, to how many, from where.
 *
 * <p>Every action of a person writes its entry in its own transaction: no action without an entry,
 * no entry without an action. Entries are kept for 400 days; {@code schema} creates and drops their
 * months. The role of the nodes can add and read entries, but not change or delete them.
 */
@NullMarked
package dev.ebb.db.audit;

import org.jspecify.annotations.NullMarked;
