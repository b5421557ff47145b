/** Dead letters in groups by what their failures have in common. */
@NullMarked
package dev.ebb.ui.page.dead;

import org.jspecify.annotations.NullMarked;
