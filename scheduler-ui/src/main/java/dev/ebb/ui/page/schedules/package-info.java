/** Schedules, their fires, and the form that makes them. */
@NullMarked
package dev.ebb.ui.page.schedules;

import org.jspecify.annotations.NullMarked;
