/**
 * Queues: their settings, their limiters, and the lock under which their jobs are claimed. What a
 * read answers is a type of its own, and a door of db.
 */
@NullMarked
package dev.ebb.db.queue;

import org.jspecify.annotations.NullMarked;
