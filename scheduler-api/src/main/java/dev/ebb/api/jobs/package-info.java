/** The resource {@code /v1/jobs}. */
@NullMarked
package dev.ebb.api.jobs;

import org.jspecify.annotations.NullMarked;
