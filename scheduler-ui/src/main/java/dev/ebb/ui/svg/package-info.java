/** Drawings, made on the server: they need no script, and print. */
@NullMarked
package dev.ebb.ui.svg;

import org.jspecify.annotations.NullMarked;
