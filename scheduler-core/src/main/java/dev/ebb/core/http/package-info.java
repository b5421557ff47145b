/**
 * HTTP without a network: deliveries and the answers that complete them, the URLs and hosts that
 * may be named, and the parts of an exchange that are secret.
 */
@NullMarked
package dev.ebb.core.http;

import org.jspecify.annotations.NullMarked;
