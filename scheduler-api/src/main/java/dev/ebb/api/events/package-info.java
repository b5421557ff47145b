/**
 * The stream of events, {@code GET /v1/events}.
 *
 * <pre>
 *   db.event.EventLog
 *          │ one reader for all streams, twice a second, while there are any
 *          ▼
 *   EventReader ──▶ EventStream ──▶ Outbox          filters; at most 100 events, else sums
 *     live, behind      │              │
 *                       │              ▼ at most twice a second
 *   EventsController ◀──┴──────── the request's virtual thread writes, and asks for its token
 * </pre>
 *
 * <p>A stream holds no connection to the database, and what waits for its client is bounded: a
 * client that does not read blocks only its own thread, until a write takes too long. Streams that
 * come back after a while are served separately, so that up-to-date streams do not wait for them.
 */
@NullMarked
package dev.ebb.api.events;

import org.jspecify.annotations.NullMarked;
