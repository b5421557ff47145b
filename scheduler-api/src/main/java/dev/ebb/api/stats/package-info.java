/** Statistics of the queues, shown over REST. */
@NullMarked
package dev.ebb.api.stats;

import org.jspecify.annotations.NullMarked;
