@NullMarked
package dev.ebb.app;

import org.jspecify.annotations.NullMarked;
