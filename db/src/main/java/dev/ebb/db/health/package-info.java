/** Reads what the server tells of its health: of catalogs and statistics, never of many rows. */
@NullMarked
package dev.ebb.db.health;

import org.jspecify.annotations.NullMarked;
