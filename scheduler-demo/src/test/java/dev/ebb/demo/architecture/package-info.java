/**
 * The rules that no compiler knows: which module may know which, and how long anything may become.
 */
@NullMarked
package dev.ebb.demo.architecture;

import org.jspecify.annotations.NullMarked;
