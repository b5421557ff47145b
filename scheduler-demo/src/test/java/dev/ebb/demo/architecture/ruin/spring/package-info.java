/** A room of the ruin: it breaks the rules on purpose. */
@NullMarked
package dev.ebb.demo.architecture.ruin.spring;

import org.jspecify.annotations.NullMarked;
