/**
 * The way to the database: the pool, how patient it is, what its errors mean, and how values become
 * parameters and columns become values.
 */
@NullMarked
package dev.ebb.db.connection;

import org.jspecify.annotations.NullMarked;
