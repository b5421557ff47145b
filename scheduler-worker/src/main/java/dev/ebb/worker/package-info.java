@NullMarked
package dev.ebb.worker;

import org.jspecify.annotations.NullMarked;
