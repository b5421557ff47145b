/** Reads what stands between a live job and its next attempt. */
@NullMarked
package dev.ebb.db.waiting;

import org.jspecify.annotations.NullMarked;
