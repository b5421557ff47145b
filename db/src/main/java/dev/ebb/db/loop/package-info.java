/**
 * The background loops of a node: a loop survives failures, counts and logs them, and tries again
 * after growing pauses.
 */
@NullMarked
package dev.ebb.db.loop;

import org.jspecify.annotations.NullMarked;
