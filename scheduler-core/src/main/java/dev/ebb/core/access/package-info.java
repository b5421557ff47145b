/**
 * Access rights: scopes, the roles that bundle them, and the text of a token.
 *
 * <pre>
 *   Role ──▶ Scope        AccessToken: ebb_ + id + _ + secret, of which only a hash is stored
 * </pre>
 */
@NullMarked
package dev.ebb.core.access;

import org.jspecify.annotations.NullMarked;
