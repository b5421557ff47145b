/**
 * What is needed to give away one job's history, signed: the history as it was at one moment, and
 * the keys that sign it.
 */
@NullMarked
package dev.ebb.db.export;

import org.jspecify.annotations.NullMarked;
