/** Checks what a cluster has signed, without a server, a database or a setting. */
@NullMarked
package dev.ebb.app.verify;

import org.jspecify.annotations.NullMarked;
