/** Queues, their limits and settings, and what another limit would do. */
@NullMarked
package dev.ebb.ui.page.queues;

import org.jspecify.annotations.NullMarked;
