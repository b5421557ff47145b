/** JSON within answers, as pages show and write it. */
@NullMarked
package dev.ebb.ui.json;

import org.jspecify.annotations.NullMarked;
