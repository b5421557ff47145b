/** Durations, instants, numbers and policies in words. */
@NullMarked
package dev.ebb.ui.words;

import org.jspecify.annotations.NullMarked;
