/** The pages, one class each, and what all of them have in common. */
@NullMarked
package dev.ebb.ui.page;

import org.jspecify.annotations.NullMarked;
