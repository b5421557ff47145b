/**
 * The spans of a job's way from its submit to its settlement, for OpenTelemetry: {@link
 * dev.ebb.db.trace.Traces} has the drawing.
 */
@NullMarked
package dev.ebb.db.trace;

import org.jspecify.annotations.NullMarked;
