/** Asks the API within its own process: for pages, which know no more than any other client. */
@NullMarked
package dev.ebb.api.inside;

import org.jspecify.annotations.NullMarked;
