/**
 * HTTP without a network: what a delivery is, which URLs and hosts may be named, and which parts of
 * an exchange are secrets.
 */
@NullMarked
package dev.ebb.core.http;

import org.jspecify.annotations.NullMarked;
