/** The rules that no compiler knows: who may know whom, and how long anything may become. */
@NullMarked
package dev.ebb.demo.architecture;

import org.jspecify.annotations.NullMarked;
