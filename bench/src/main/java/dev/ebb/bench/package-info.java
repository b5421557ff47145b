/**
 * Ebb beside other schedulers and bare JDBC on one PostgreSQL.
 *
 * <pre>
 *   Bench ──▶ Harness ──▶ workload ──▶ child ──▶ contender ──▶ machine
 *      └────▶ report        what is      a process   a system       the server and
 *                         measured      per system   under test    what it runs on
 * </pre>
 */
@NullMarked
package dev.ebb.bench;

import org.jspecify.annotations.NullMarked;
