/** The nodes over REST, and their drains. */
@NullMarked
package dev.ebb.api.nodes;

import org.jspecify.annotations.NullMarked;
