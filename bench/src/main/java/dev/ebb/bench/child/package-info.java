/** The process in which a system works, and its messages to and from the harness. */
@NullMarked
package dev.ebb.bench.child;

import org.jspecify.annotations.NullMarked;
