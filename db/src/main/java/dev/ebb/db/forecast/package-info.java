/**
 * Forecasts: the jobs that become due within the next hour, and the attempts so far of a queue's
 * jobs.
 */
@NullMarked
package dev.ebb.db.forecast;

import org.jspecify.annotations.NullMarked;
