/** Queues: their settings, their limiters, and the lock under which their jobs are claimed. */
@NullMarked
package dev.ebb.db.queue;

import org.jspecify.annotations.NullMarked;
