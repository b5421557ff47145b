/**
 * The way to the database: the pool, its timeouts, the meaning of its errors, and the ways from
 * values to parameters and from columns to values.
 */
@NullMarked
package dev.ebb.db.connection;

import org.jspecify.annotations.NullMarked;
