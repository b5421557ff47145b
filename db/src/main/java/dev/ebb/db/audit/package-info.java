/**
 * The audit: who did what, why, to how many, from where.
 *
 * <p>A verb that people use writes its entry in its own transaction, so that nothing is done
 * without one, and no entry tells of what was not done. Entries are kept for 400 days: {@code
 * schema} makes and drops their months. The role of the nodes can add entries and read them, and
 * neither change nor delete any.
 */
@NullMarked
package dev.ebb.db.audit;

import org.jspecify.annotations.NullMarked;
