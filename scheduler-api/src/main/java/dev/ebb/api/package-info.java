@NullMarked
package dev.ebb.api;

import org.jspecify.annotations.NullMarked;
