/** Statistics: durations in buckets, and the estimates that follow from them. */
@NullMarked
package dev.ebb.core.stats;

import org.jspecify.annotations.NullMarked;
