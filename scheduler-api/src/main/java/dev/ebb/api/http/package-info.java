/** Reads requests strictly, and writes answers. */
@NullMarked
package dev.ebb.api.http;

import org.jspecify.annotations.NullMarked;
