/** Tests of the two executable jars as Maven packaged them; they run after that. */
@NullMarked
package dev.ebb.demo.bundle;

import org.jspecify.annotations.NullMarked;
