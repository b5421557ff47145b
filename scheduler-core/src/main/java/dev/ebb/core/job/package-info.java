/**
 * A job from its submission to its end: {@code NewJob}, {@code Job}, the {@code Outcome} of an
 * attempt, and the {@code Settlement} that decides what comes next.
 */
@NullMarked
package dev.ebb.core.job;

import org.jspecify.annotations.NullMarked;
