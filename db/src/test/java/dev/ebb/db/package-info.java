@NullMarked
package dev.ebb.db;

import org.jspecify.annotations.NullMarked;
