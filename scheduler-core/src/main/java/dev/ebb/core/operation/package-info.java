/** An operation on many jobs: its plan, its pace, and when it must stop. */
@NullMarked
package dev.ebb.core.operation;

import org.jspecify.annotations.NullMarked;
