/** Statistics: lengths of time by bucket, and what may be said of them. */
@NullMarked
package dev.ebb.core.stats;

import org.jspecify.annotations.NullMarked;
