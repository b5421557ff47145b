/** The pages, one class each, and their common parts. */
@NullMarked
package dev.ebb.ui.page;

import org.jspecify.annotations.NullMarked;
