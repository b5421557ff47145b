/**
 * Patterns that similar failures share.
 *
 * <pre>
 *   Failure ──▶ ErrorPattern     its text without what differs from job to job
 *                  │ PatternText reads the text, WordShape knows hosts, ids and times
 *                  ▼
 *               group            an id for the queue, the kind and the pattern
 * </pre>
 */
@NullMarked
package dev.ebb.core.failure;

import org.jspecify.annotations.NullMarked;
