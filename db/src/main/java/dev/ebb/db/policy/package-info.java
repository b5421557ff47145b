/** Retry policies that people give a name, and that queues follow. */
@NullMarked
package dev.ebb.db.policy;

import org.jspecify.annotations.NullMarked;
