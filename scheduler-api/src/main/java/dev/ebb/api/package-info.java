/**
 * REST over the database; never knows the worker.
 *
 * <pre>
 *   EbbApi ──▶ Tomcat ──▶ RequestRules ──▶ jobs, queues, policies, system ──▶ db
 *                │             │                        │
 *                └─────────────┴───── refusals ─────────┴──▶ problem
 * </pre>
 *
 * <p>Every request is read by {@code http}, which accepts only what the contract in {@code
 * openapi.json} names; {@code server} bounds what connections may take; every refusal, Tomcat's own
 * included, leaves through {@code problem}. What another module serves beside it is a {@code
 * Mount}, with headers of its own.
 */
@NullMarked
package dev.ebb.api;

import org.jspecify.annotations.NullMarked;
