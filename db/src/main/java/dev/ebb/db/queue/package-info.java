/**
 * Queues: their settings, their limiters, and the lock under which their jobs are claimed. The
 * results of reads have their own types, which are doors of db.
 */
@NullMarked
package dev.ebb.db.queue;

import org.jspecify.annotations.NullMarked;
