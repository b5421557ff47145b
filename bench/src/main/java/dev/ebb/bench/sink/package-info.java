/** The receiver of the deliveries that are measured. */
@NullMarked
package dev.ebb.bench.sink;

import org.jspecify.annotations.NullMarked;
