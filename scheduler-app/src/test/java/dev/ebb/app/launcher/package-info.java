/** Tests of the launcher script. */
@NullMarked
package dev.ebb.app.launcher;

import org.jspecify.annotations.NullMarked;
