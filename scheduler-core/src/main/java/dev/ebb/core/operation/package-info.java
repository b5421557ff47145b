/** Actions on jobs; and operations on many of them: their plan, their pace, and when they stop. */
@NullMarked
package dev.ebb.core.operation;

import org.jspecify.annotations.NullMarked;
