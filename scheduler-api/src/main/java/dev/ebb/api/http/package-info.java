/** Requests read strictly, and answers written. */
@NullMarked
package dev.ebb.api.http;

import org.jspecify.annotations.NullMarked;
