/** Nodes, the database, tokens and settings, and the audit. */
@NullMarked
package dev.ebb.ui.page.system;

import org.jspecify.annotations.NullMarked;
