/** The settings of the whole cluster. */
@NullMarked
package dev.ebb.db.settings;

import org.jspecify.annotations.NullMarked;
