/**
 * Decides how fast the jobs of a queue may start: the warm-up limiter, its state and shortages, and
 * the cut of its rate when a receiver throttles.
 */
@NullMarked
package dev.ebb.core.limit;

import org.jspecify.annotations.NullMarked;
