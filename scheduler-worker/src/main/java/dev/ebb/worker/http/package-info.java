/**
 * The handler of the kind {@code http}: one exchange per attempt, under one deadline.
 *
 * <pre>
 *   handler's thread                        exchange's own virtual thread
 *   ────────────────                        ─────────────────────────────
 *   read the payload
 *   wait a moment for the host's turn
 *   start the exchange ───────────────────▶ look the name up, check every address
 *   wait for it, at most what is left       connect to a checked address, TLS
 *   of the attempt                          send, read at most 64 KiB of a head and
 *        │                                  at most 64 KiB of body
 *        │ answered or broken ◀───────────────────┘
 *        │ time is up, or interrupted ────▶ abort: close the socket, interrupt
 *   record the attempt
 *   outcome
 * </pre>
 *
 * <p>The waiting thread keeps the time: the wait ends whatever the other side does, and no phase
 * needs its own timeout.
 *
 * <p>The status decides once the response headers are complete, or exceed the limit, unless the
 * delivery's rules test the body: a fault in the rest is a {@code Fault} in the record. After a
 * fault, or ambiguous headers, the connection is closed. If a reused connection breaks before any
 * byte of a response, the request is sent again at once on a new one.
 */
@NullMarked
package dev.ebb.worker.http;

import org.jspecify.annotations.NullMarked;
