/** Operations over REST: actions on many jobs, their progress and their report. */
@NullMarked
package dev.ebb.api.operations;

import org.jspecify.annotations.NullMarked;
