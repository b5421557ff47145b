/** The health of the database over REST: what is wrong, by which rule, and what to do. */
@NullMarked
package dev.ebb.api.database;

import org.jspecify.annotations.NullMarked;
