/** The schema: migrations, the daily partitions of the history, and facts about a server. */
@NullMarked
package dev.ebb.db.schema;

import org.jspecify.annotations.NullMarked;
