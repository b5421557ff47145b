/** Tests of the firing of schedules, against real nodes of a Quartz cluster. */
@NullMarked
package dev.ebb.cron;

import org.jspecify.annotations.NullMarked;
