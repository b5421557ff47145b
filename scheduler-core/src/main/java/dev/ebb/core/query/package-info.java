/**
 * The filter of a list of jobs, and the language of tokens in which people write one.
 *
 * <pre>
 *   "state:dead -kind:http attempts&gt;3"
 *        │ Tokens          cuts the text, and knows each token's place
 *        ▼
 *   Condition ──▶ FilterBuilder ──▶ JobFilter ──▶ QueryText, the same in one canonical form
 * </pre>
 *
 * <p>Every condition narrows a filter, wherever it comes from: {@code JobQuery} reads a text, and
 * others may give conditions of their own.
 */
@NullMarked
package dev.ebb.core.query;

import org.jspecify.annotations.NullMarked;
