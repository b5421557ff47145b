/** The health of the database over REST: findings, with rules and advice. */
@NullMarked
package dev.ebb.api.database;

import org.jspecify.annotations.NullMarked;
