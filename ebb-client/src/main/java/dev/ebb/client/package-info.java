/**
 * What an application needs of Ebb: jobs are submitted by {@link EbbJdbc} in its own transaction or
 * by {@link EbbHttp}.
 *
 * <pre>
 *   JobKind ──▶ Job ──┬─▶ EbbJdbc ──▶ ebb.submit          in the caller's transaction
 *               │     └─▶ EbbHttp ──▶ POST /v1/jobs       repeated under one Idempotency-Key
 *             Rules: before anything is sent
 * </pre>
 *
 * The public types here are what Ebb promises to keep. They need the JDK alone, and show no other
 * library's types; Jackson is used if it is there.
 */
@NullMarked
package dev.ebb.client;

import org.jspecify.annotations.NullMarked;
