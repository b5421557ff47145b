/**
 * Hints that there is work, by LISTEN and NOTIFY. A lost hint costs time and nothing else: nodes
 * look for work without them, too.
 */
@NullMarked
package dev.ebb.db.hint;

import org.jspecify.annotations.NullMarked;
