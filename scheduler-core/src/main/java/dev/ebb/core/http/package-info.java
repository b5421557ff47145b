/**
 * HTTP without a network: what a delivery is and which answers complete it, which URLs and hosts
 * may be named, and which parts of an exchange are secrets.
 */
@NullMarked
package dev.ebb.core.http;

import org.jspecify.annotations.NullMarked;
