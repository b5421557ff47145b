/** Settings of kinds: what their jobs take from their payloads as labels. */
@NullMarked
package dev.ebb.db.kind;

import org.jspecify.annotations.NullMarked;
