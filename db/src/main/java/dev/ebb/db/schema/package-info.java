/** The schema: migrations, the days of the history, and what a server says of itself. */
@NullMarked
package dev.ebb.db.schema;

import org.jspecify.annotations.NullMarked;
