/** Secrets that are stored: encrypted, with a key that the database has not. */
@NullMarked
package dev.ebb.api.secrets;

import org.jspecify.annotations.NullMarked;
