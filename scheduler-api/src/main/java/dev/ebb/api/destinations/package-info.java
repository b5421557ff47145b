/**
 * Destinations: queues with an address. Their other settings, their pause, limiter and statistics
 * are those of {@code dev.ebb.api.queues}.
 */
@NullMarked
package dev.ebb.api.destinations;

import org.jspecify.annotations.NullMarked;
