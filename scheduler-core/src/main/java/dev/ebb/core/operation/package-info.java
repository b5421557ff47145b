/** What an operation on many jobs is asked to do, at which pace, and when it has to stop. */
@NullMarked
package dev.ebb.core.operation;

import org.jspecify.annotations.NullMarked;
