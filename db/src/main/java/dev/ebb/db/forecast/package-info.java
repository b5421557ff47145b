/** Tells which jobs become due within the next hour. */
@NullMarked
package dev.ebb.db.forecast;

import org.jspecify.annotations.NullMarked;
