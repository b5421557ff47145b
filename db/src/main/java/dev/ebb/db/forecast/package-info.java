/**
 * Tells which jobs wait: which become due within the next hour, and how often those of a queue were
 * started.
 */
@NullMarked
package dev.ebb.db.forecast;

import org.jspecify.annotations.NullMarked;
