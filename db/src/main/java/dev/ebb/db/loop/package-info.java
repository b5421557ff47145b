/**
 * What every background loop of a node is made of: it survives failures, counts and logs them, and
 * tries again after growing pauses.
 */
@NullMarked
package dev.ebb.db.loop;

import org.jspecify.annotations.NullMarked;
