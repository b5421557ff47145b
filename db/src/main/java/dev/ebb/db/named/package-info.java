/** Settings that are stored under a name: retry policies, and what kinds take as labels. */
@NullMarked
package dev.ebb.db.named;

import org.jspecify.annotations.NullMarked;
