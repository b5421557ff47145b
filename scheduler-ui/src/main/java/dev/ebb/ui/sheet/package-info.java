/** Lists as files: all rows that a filter finds, as CSV or as JSON. */
@NullMarked
package dev.ebb.ui.sheet;

import org.jspecify.annotations.NullMarked;
