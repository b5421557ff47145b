/** What a destination has of its own for TLS: whom it is vouched for by, and what Ebb shows it. */
@NullMarked
package dev.ebb.core.tls;

import org.jspecify.annotations.NullMarked;
