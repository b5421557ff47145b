/**
 * Ebb beside other schedulers and bare JDBC on one PostgreSQL: a harness that starts the server and
 * measures, and a child process per system that does the work.
 */
@NullMarked
package dev.ebb.bench;

import org.jspecify.annotations.NullMarked;
