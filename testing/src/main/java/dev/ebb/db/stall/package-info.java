/** Tells a failed test from a machine that stood still. */
@NullMarked
package dev.ebb.db.stall;

import org.jspecify.annotations.NullMarked;
