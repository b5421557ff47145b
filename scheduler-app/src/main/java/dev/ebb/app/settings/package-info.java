/**
 * The settings: read from the environment, validated together, refused with the rule they broke.
 */
@NullMarked
package dev.ebb.app.settings;

import org.jspecify.annotations.NullMarked;
