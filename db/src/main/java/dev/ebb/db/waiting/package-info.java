/** Reads why a live job is not running yet. */
@NullMarked
package dev.ebb.db.waiting;

import org.jspecify.annotations.NullMarked;
