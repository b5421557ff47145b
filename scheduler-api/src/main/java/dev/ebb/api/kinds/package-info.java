/** The resource {@code /v1/kinds}: what jobs take from their payloads as labels. */
@NullMarked
package dev.ebb.api.kinds;

import org.jspecify.annotations.NullMarked;
