/** Why a job waits. */
@NullMarked
package dev.ebb.api.jobs.waiting;

import org.jspecify.annotations.NullMarked;
