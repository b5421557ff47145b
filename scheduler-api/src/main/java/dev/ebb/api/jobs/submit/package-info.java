/** Submits of jobs, one or many, and what they would store. */
@NullMarked
package dev.ebb.api.jobs.submit;

import org.jspecify.annotations.NullMarked;
