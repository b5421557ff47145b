@NullMarked
package dev.ebb.core;

import org.jspecify.annotations.NullMarked;
