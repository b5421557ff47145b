/**
 * The dashboard at {@code /ui}: pages that the server makes, readable without script; and the API's
 * reference at {@code /docs}.
 *
 * <pre>
 *   browser ──GET──▶ page ──Rest──▶ /v1 ──▶ answer ──▶ words, svg ──▶ template ──▶ HTML
 *      │
 *      ├──changes──▶ /v1, as any other client, with the session's cookie and the page's proof
 *      └──◀ news ──  /v1/events
 * </pre>
 *
 * <p>No page has a rule or a statement of its own: it shows what the API answers to the same
 * caller, and changes things only through the API.
 */
@NullMarked
package dev.ebb.ui;

import org.jspecify.annotations.NullMarked;
