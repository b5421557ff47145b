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
 * <p>The waiting thread is the clock: the wait ends, whatever the other side does in any phase. No
 * phase has to be trusted to keep a timeout of its own.
 *
 * <p>The status decides, once the head is whole or longer than is read: what is wrong with the rest
 * is a {@code Fault} in the record. After a fault, and after a head that another reader might read
 * otherwise, the connection is closed. Where a connection that was used before breaks before any
 * byte of an answer, the request is sent again at once, on a new one.
 */
@NullMarked
package dev.ebb.worker.http;

import org.jspecify.annotations.NullMarked;
