/** What the API answers, as far as pages show it. */
@NullMarked
package dev.ebb.ui.answer;

import org.jspecify.annotations.NullMarked;
