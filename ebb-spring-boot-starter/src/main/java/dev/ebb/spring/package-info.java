/**
 * Ebb in a Spring Boot application: jobs are submitted in its transactions, and methods of its
 * beans run them.
 *
 * <pre>
 *   &#64;Transactional ──▶ EbbTemplate ──▶ ebb.submit      on the connection of the transaction
 *
 *   &#64;EbbHandler ──▶ HandlerMethods ──▶ WorkerLifecycle ──▶ EbbWorker ──▶ the server at ebb.url
 *                          │                │
 *                          │                └── health, meters
 *                          └──▶ EbbHandlers     for tests, which call them without a worker
 *
 *   start  data source ─▶ beans ─▶ web server ─▶ worker polls
 *   stop   worker drains beside the web server ─▶ beans ─▶ data source closes
 * </pre>
 *
 * One jar serves Spring Boot 3.5 and 4: what moved between them is named by text ({@link
 * EbbAutoConfiguration}) or has a class for each ({@link Boot3Health}, {@link Boot4Health}, {@link
 * Jackson2}, {@link Jackson3}), of which Spring loads those whose libraries are there.
 */
@NullMarked
package dev.ebb.spring;

import org.jspecify.annotations.NullMarked;
