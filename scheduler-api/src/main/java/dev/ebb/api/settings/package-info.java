/** The settings of the whole cluster. */
@NullMarked
package dev.ebb.api.settings;

import org.jspecify.annotations.NullMarked;
