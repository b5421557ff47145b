/** The health of the database: what is known of it, and what is right or wrong with it. */
@NullMarked
package dev.ebb.core.health;

import org.jspecify.annotations.NullMarked;
