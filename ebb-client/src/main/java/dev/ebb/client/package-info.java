/**
 * What an application needs of Ebb: jobs are submitted by {@link EbbJdbc} in its own transaction or
 * by {@link EbbHttp}, and {@link EbbWorker} runs them.
 *
 * <pre>
 *   JobKind ──▶ Job ──┬─▶ EbbJdbc ──▶ ebb.submit          in the caller's transaction
 *               │     └─▶ EbbHttp ──▶ POST /v1/jobs       repeated under one Idempotency-Key
 *             Rules: before anything is sent
 *
 *   EbbWorker ─┬─ Poller ──── POST /v1/leases ──▶ Attempt ──▶ Handler ──▶ Outcome
 *              ├─ Renewer ─── .../renew ── lost, cancel, drain ──▶ stops attempts
 *              └─ Settler ─── .../settle ◀── how attempts ended
 * </pre>
 *
 * The public types here are what Ebb promises to keep. They need the JDK alone, and show no other
 * library's types; Jackson is used if it is there.
 */
@NullMarked
package dev.ebb.client;

import org.jspecify.annotations.NullMarked;
