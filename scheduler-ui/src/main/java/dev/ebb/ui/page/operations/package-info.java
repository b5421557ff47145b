/** What is done to many jobs: planned, and watched. */
@NullMarked
package dev.ebb.ui.page.operations;

import org.jspecify.annotations.NullMarked;
