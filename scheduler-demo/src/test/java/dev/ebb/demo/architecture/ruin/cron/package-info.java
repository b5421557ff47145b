/** A room of the ruin: it breaks the rules on purpose. */
@NullMarked
package dev.ebb.demo.architecture.ruin.cron;

import org.jspecify.annotations.NullMarked;
