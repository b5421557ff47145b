/**
 * The caller of a request, and its rights. Every route names the scopes that it needs, or is open
 * to all.
 *
 * <pre>
 *   request ──▶ AccessRules ──▶ Callers ──▶ KnownTokens ──▶ db.access.Tokens, at most 2 s old
 *                    │
 *                    └─ @Needs of the route ──▶ 401, 403, or on to the route with its Caller
 * </pre>
 */
@NullMarked
package dev.ebb.api.access;

import org.jspecify.annotations.NullMarked;
