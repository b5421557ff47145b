/** Why a job waits: its hold, its queue, its limiter, or those that come first. */
@NullMarked
package dev.ebb.api.jobs.waiting;

import org.jspecify.annotations.NullMarked;
