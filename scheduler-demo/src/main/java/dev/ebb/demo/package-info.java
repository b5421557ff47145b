/** The demo: database, API, worker, merchant and sample traffic in one process. */
@NullMarked
package dev.ebb.demo;

import org.jspecify.annotations.NullMarked;
