/** The process in which a system works, and what it and the harness say to each other. */
@NullMarked
package dev.ebb.bench.child;

import org.jspecify.annotations.NullMarked;
