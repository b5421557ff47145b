/**
 * How a queue stands, in one sentence.
 *
 * <pre>
 *   settings, limiter, ──▶ QueueReading ──▶ Situation ──▶ QueueSentence
 *   counts, nodes               │       (the worst first)
 *                               └──▶ the figures of each card
 * </pre>
 *
 * <p>Whatever a page says of one thing comes from the same place of the reading, so that no two
 * figures differ.
 */
@NullMarked
package dev.ebb.ui.standing;

import org.jspecify.annotations.NullMarked;
