/**
 * The audit: who did what, why, to how many, from where.
 *
 * <p>A verb that people use writes its entry in its own transaction, so that nothing is done
 * without one, and no entry tells of what was not done.
 */
@NullMarked
package dev.ebb.db.audit;

import org.jspecify.annotations.NullMarked;
