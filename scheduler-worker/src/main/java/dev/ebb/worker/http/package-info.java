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
 *   of the attempt                          send, read a head of at most 16 KiB and
 *        │                                  at most 64 KiB of body
 *        │ answered or broken ◀───────────────────┘
 *        │ time is up, or interrupted ────▶ abort: close the socket, interrupt
 *   record the attempt
 *   outcome
 * </pre>
 *
 * <p>The waiting thread is the clock: the wait ends, whatever the other side does in any phase. No
 * phase has to be trusted to keep a timeout of its own.
 */
@NullMarked
package dev.ebb.worker.http;

import org.jspecify.annotations.NullMarked;
