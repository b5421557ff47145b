/** A room of the ruin: it breaks the rules on purpose. */
@NullMarked
package dev.ebb.app.architecture.ruin.api;

import org.jspecify.annotations.NullMarked;
