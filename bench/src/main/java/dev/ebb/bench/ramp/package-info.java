/** The limiter's ramp, measured where it matters: at a merchant. */
@NullMarked
package dev.ebb.bench.ramp;

import org.jspecify.annotations.NullMarked;
