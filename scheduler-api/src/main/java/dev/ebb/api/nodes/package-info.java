/** The nodes over REST: what they do, and who is to drain. */
@NullMarked
package dev.ebb.api.nodes;

import org.jspecify.annotations.NullMarked;
