/** The nodes, with or without a worker: their last heartbeats, and the requests to drain. */
@NullMarked
package dev.ebb.db.node;

import org.jspecify.annotations.NullMarked;
