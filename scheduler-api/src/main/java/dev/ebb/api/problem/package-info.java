/** Refusals: every answer that is not a success, as an RFC 9457 problem. */
@NullMarked
package dev.ebb.api.problem;

import org.jspecify.annotations.NullMarked;
