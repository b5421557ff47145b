/** A room of the ruin: it breaks the rules on purpose. */
@NullMarked
package dev.ebb.demo.architecture.ruin.client;

import org.jspecify.annotations.NullMarked;
