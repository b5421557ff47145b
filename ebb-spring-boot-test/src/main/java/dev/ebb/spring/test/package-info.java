/**
 * What tests of Spring Boot applications have of Ebb: its schema in their database, and the jobs
 * that the application submits, run in the test's thread.
 *
 * <pre>
 *   &#64;EbbTest ──▶ TestSchema    makes the schema before anything submits; touches no other
 *       │
 *       ├──▶ Clearing           deletes the jobs of the test before
 *       │
 *       └──▶ EbbJobs ──▶ StoredJobs ──▶ ebb.job       what the application submitted
 *               │            └────────▶ ebb.test_run  what was run of it, in the same transaction
 *               └──▶ EbbHandlers                      the application's own methods
 * </pre>
 *
 * <p>Or a server runs them as in production: {@link EbbContainer}.
 */
@NullMarked
package dev.ebb.spring.test;

import org.jspecify.annotations.NullMarked;
