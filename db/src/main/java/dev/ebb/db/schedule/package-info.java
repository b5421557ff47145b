/** Stores schedules, and submits the jobs of their fires. */
@NullMarked
package dev.ebb.db.schedule;

import org.jspecify.annotations.NullMarked;
