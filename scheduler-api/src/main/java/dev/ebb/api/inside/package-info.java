/**
 * Asks the API within its own process, for pages, which see no more than any other client.
 *
 * <pre>
 *   browser ──GET /ui/jobs──▶ page ──GET /v1/jobs──▶ Rest ──▶ Routes ──▶ the handler of all
 *                              ▲                      │ rights, parameters, limits as over HTTP
 *                              └───────── Reply ◀─────┘ a value, not its JSON
 * </pre>
 */
@NullMarked
package dev.ebb.api.inside;

import org.jspecify.annotations.NullMarked;
