/** The contract as pages at {@code /docs}. */
@NullMarked
package dev.ebb.api.docs;

import org.jspecify.annotations.NullMarked;
