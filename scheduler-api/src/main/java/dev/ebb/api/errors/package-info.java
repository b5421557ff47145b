/** Groups of dead letters, shown and acknowledged over REST. */
@NullMarked
package dev.ebb.api.errors;

import org.jspecify.annotations.NullMarked;
