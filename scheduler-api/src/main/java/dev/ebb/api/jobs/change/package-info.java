/** What people do to one job. */
@NullMarked
package dev.ebb.api.jobs.change;

import org.jspecify.annotations.NullMarked;
