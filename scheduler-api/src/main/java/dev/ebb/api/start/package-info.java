/** The start of the cluster over REST: whether it is paused, and its end. */
@NullMarked
package dev.ebb.api.start;

import org.jspecify.annotations.NullMarked;
