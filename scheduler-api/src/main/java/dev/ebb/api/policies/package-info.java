/** The resource {@code /v1/policies}: presets, stored policies and previews. */
@NullMarked
package dev.ebb.api.policies;

import org.jspecify.annotations.NullMarked;
