/** The first page: what is wrong, what comes within the hour, and how the queues stand. */
@NullMarked
package dev.ebb.ui.page.overview;

import org.jspecify.annotations.NullMarked;
