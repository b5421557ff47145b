/** Stores schedules, and makes jobs of their fires. */
@NullMarked
package dev.ebb.db.schedule;

import org.jspecify.annotations.NullMarked;
