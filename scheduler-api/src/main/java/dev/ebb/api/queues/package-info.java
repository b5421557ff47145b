/** The resource {@code /v1/queues}. */
@NullMarked
package dev.ebb.api.queues;

import org.jspecify.annotations.NullMarked;
