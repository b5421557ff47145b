/**
 * The settings: read from the environment and a file, validated together, and refused with every
 * rule that they break.
 */
@NullMarked
package dev.ebb.app.settings;

import org.jspecify.annotations.NullMarked;
