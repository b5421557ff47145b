/** Retry policies, tried and drawn before they are used. */
@NullMarked
package dev.ebb.ui.page.lab;

import org.jspecify.annotations.NullMarked;
