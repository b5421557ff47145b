/** The command that makes, lists and revokes tokens on the machine itself. */
@NullMarked
package dev.ebb.app.tokens;

import org.jspecify.annotations.NullMarked;
