/** Jobs, their lists, attempts and audit; what waits for a change of one. */
@NullMarked
package dev.ebb.api.jobs.read;

import org.jspecify.annotations.NullMarked;
