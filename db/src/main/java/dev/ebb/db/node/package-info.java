/**
 * The nodes, those without a worker too: what each told at its last heartbeat, and who was asked to
 * drain.
 */
@NullMarked
package dev.ebb.db.node;

import org.jspecify.annotations.NullMarked;
