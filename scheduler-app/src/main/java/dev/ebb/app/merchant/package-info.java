/** The echo merchant: an HTTP server that takes deliveries and misbehaves on request. */
@NullMarked
package dev.ebb.app.merchant;

import org.jspecify.annotations.NullMarked;
