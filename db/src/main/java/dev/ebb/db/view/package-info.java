/** Reads jobs for people: one job wherever it is, its attempts, and lists. */
@NullMarked
package dev.ebb.db.view;

import org.jspecify.annotations.NullMarked;
