/** The dashboard as people use it: a real browser over a real server, worker and merchant. */
@NullMarked
package dev.ebb.demo.browser;

import org.jspecify.annotations.NullMarked;
