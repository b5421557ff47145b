/** The audit of what people did, shown over REST. */
@NullMarked
package dev.ebb.api.audit;

import org.jspecify.annotations.NullMarked;
