/** The systems that are measured, each behind the same interface. */
@NullMarked
package dev.ebb.bench.contender;

import org.jspecify.annotations.NullMarked;
