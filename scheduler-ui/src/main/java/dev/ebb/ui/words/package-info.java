/** What people read: lengths, instants, numbers, policies in words. */
@NullMarked
package dev.ebb.ui.words;

import org.jspecify.annotations.NullMarked;
