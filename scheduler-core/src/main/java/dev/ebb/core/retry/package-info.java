/**
 * Decides when a failed job runs again: backoffs, the policies made of them, presets, and the
 * preview of what a policy will do.
 */
@NullMarked
package dev.ebb.core.retry;

import org.jspecify.annotations.NullMarked;
