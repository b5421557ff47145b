/** The forecast of the next hour, shown over REST. */
@NullMarked
package dev.ebb.api.forecast;

import org.jspecify.annotations.NullMarked;
