/**
 * REST over the database; never knows the worker.
 *
 * <pre>
 *   EbbApi ──▶ Tomcat ──▶ RequestRules ──▶ jobs, queues, events, … ──▶ db
 *                │             │                        │
 *                └─────────────┴───── refusals ─────────┴──▶ problem
 * </pre>
 *
 * <p>{@code http} reads every request, and accepts only what the contract in {@code openapi.json}
 * names. {@code server} bounds what connections may take. Every refusal, Tomcat's own included,
 * leaves through {@code problem}. Another module may serve pages beside the API as a {@code Mount},
 * with headers of its own; what those pages show they ask the API for, by {@code inside}.
 */
@NullMarked
package dev.ebb.api;

import org.jspecify.annotations.NullMarked;
